//! One shared value per type.

use std::any::{Any, TypeId};
use std::sync::Arc;

/// A map with one shared value per type. There are few, so that a list finds one soonest.
#[derive(Clone, Default)]
pub(crate) struct TypeMap(Vec<(TypeId, Arc<dyn Any + Send + Sync>)>);

impl TypeMap {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        let id = TypeId::of::<T>();
        self.0.retain(|(other, _)| *other != id);
        self.0.push((id, Arc::new(value)));
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.get_any(id).is_some()
    }

    pub(crate) fn get_any(&self, id: TypeId) -> Option<&Arc<dyn Any + Send + Sync>> {
        let (_, value) = self.0.iter().find(|(other, _)| *other == id)?;
        Some(value)
    }

    pub(crate) fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.get_any(TypeId::of::<T>())?).downcast().ok()
    }
}
