//! The part of a run's that only tasks need, by way of the [table](super::super::task_tools) that tools bring along which may
//! be tasks.

use std::sync::Arc;

use super::TaskKind;
use super::driver::Driver;
use super::ending::Told;
use super::task_mode::StoreFailed;
use crate::model::BoxFuture;
use crate::task::CreateError;
use crate::task::record::{Event, Record};

type Created<'a> = BoxFuture<'a, Result<(), CreateError>>;
type Submitted<'a> = BoxFuture<'a, Option<Arc<Record>>>;
type Insisted<'a> = BoxFuture<'a, Result<Option<Arc<Record>>, StoreFailed>>;

pub(in crate::server) struct TaskTable {
    create: for<'a> fn(&'a mut Driver, TaskKind) -> Created<'a>,
    submit: for<'a> fn(&'a mut Driver, Event) -> Submitted<'a>,
    insist: for<'a> fn(&'a mut Driver, Event) -> Insisted<'a>,
    read: for<'a> fn(&'a mut Driver) -> BoxFuture<'a, ()>,
    flush: for<'a> fn(&'a mut Driver) -> BoxFuture<'a, ()>,
    end: for<'a> fn(&'a mut Driver, &'a Told) -> BoxFuture<'a, ()>,
    refuse: fn(&Driver, &CreateError),
}

pub(in crate::server) const TASK_TABLE: TaskTable = TaskTable {
    create: Driver::create_task,
    submit: Driver::submit_event,
    insist: Driver::insist_on,
    read: Driver::read_task,
    flush: Driver::flush_record,
    end: Driver::end_record,
    refuse: Driver::refuse_call,
};

impl Driver {
    fn table(&self) -> &'static TaskTable {
        &self.run.core.tasks().tools.run
    }

    /// Makes the run a task and answers its request with it. The reply leaves before anything else that names
    /// the task.
    pub(super) fn become_task(&mut self, kind: TaskKind) -> Created<'_> {
        (self.table().create)(self, kind)
    }

    /// Submits an event of this run.
    pub(super) fn submit(&mut self, event: Event) -> Submitted<'_> {
        (self.table().submit)(self, event)
    }

    /// Submits what the task is nothing without: a store that fails is given a few seconds to recover.
    pub(super) fn insist(&mut self, event: Event) -> Insisted<'_> {
        (self.table().insist)(self, event)
    }

    /// The record has changed: somebody answered, cancelled, or it is gone.
    pub(super) fn read_record(&mut self) -> BoxFuture<'_, ()> {
        (self.table().read)(self)
    }

    /// The record takes in what is due, and what a transition takes along.
    pub(super) fn flush_task(&mut self) -> BoxFuture<'_, ()> {
        (self.table().flush)(self)
    }

    /// The record takes in how the run ended.
    pub(super) fn end_task<'a>(&'a mut self, told: &'a Told) -> BoxFuture<'a, ()> {
        (self.table().end)(self, told)
    }

    /// The call that was to be a task is answered with an error; its body never starts.
    pub(super) fn not_created(&self, error: &CreateError) {
        (self.table().refuse)(self, error);
    }
}
