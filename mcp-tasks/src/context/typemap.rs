//! One shared value per type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

/// A map with one shared value per type.
#[derive(Clone, Default)]
pub(crate) struct TypeMap(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl TypeMap {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }

    pub(crate) fn get_any(&self, id: TypeId) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.0.get(&id)
    }

    pub(crate) fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.get_any(TypeId::of::<T>())?).downcast().ok()
    }
}
