//! What a request carries beside its message: the extensions of the HTTP request it came in.

use std::sync::Arc;

#[cfg(feature = "testing")]
use super::typemap::TypeMap;

/// The extensions of the request that made a call; empty for a call that came another way.
#[derive(Clone, Default)]
pub(crate) struct Extensions(Option<Arc<Values>>);

enum Values {
    #[cfg(feature = "http")]
    OfRequest(http::Extensions),
    /// What a test gives in a request's place.
    #[cfg(feature = "testing")]
    Given(TypeMap),
}

impl Extensions {
    #[cfg(feature = "http")]
    pub(crate) fn of(request: http::Extensions) -> Self {
        Self((!request.is_empty()).then(|| Arc::new(Values::OfRequest(request))))
    }

    #[cfg(feature = "testing")]
    pub(crate) fn given(values: TypeMap) -> Self {
        Self(Some(Arc::new(Values::Given(values))))
    }

    pub(crate) fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        match **self.0.as_ref()? {
            #[cfg(feature = "http")]
            Values::OfRequest(ref request) => request.get::<T>().cloned(),
            #[cfg(feature = "testing")]
            Values::Given(ref values) => Some(T::clone(&*values.get::<T>()?)),
        }
    }
}
