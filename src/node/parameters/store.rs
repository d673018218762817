//! The parameters as they are now: many read them, one at a time sets them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::settings::Settings;
use super::table::Change;
use super::value::{ParameterError, declared};
use crate::interfaces::rcl_interfaces::msg::{Parameter, ParameterValue};

/// The settings of a running node.
#[derive(Debug)]
pub struct Parameters {
    current: RwLock<Arc<Settings>>,
    /// Held while parameters are set, so that two changes do not lose one another.
    writer: Mutex<()>,
}

impl Parameters {
    /// The defaults with the values given at start. Values for parameters the node does not have are ignored, as
    /// parameter files often serve several nodes; a name close to one of ours is logged.
    pub fn new(overrides: &BTreeMap<String, ParameterValue>) -> Result<Self, ParameterError> {
        let mut settings = Settings::default();
        for (name, value) in overrides {
            match declared(name) {
                Ok(declaration) => declaration.assign(&mut settings, value)?,
                // Perhaps a misspelt one of ours.
                Err(ParameterError::Unknown { hint, .. }) if !hint.is_empty() => {
                    tracing::warn!("parameter `{name}` is not one of this node{hint}");
                }
                Err(unknown) => tracing::debug!("{unknown}"),
            }
        }
        Ok(Self { current: RwLock::new(Arc::new(settings)), writer: Mutex::new(()) })
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets all of these or none. `accept` sees the settings before and after, and may refuse.
    pub fn set(
        &self,
        changes: &[Parameter],
        accept: impl FnOnce(&Settings, &Settings) -> Result<(), String>,
    ) -> Result<(), ParameterError> {
        let _turn = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.settings();
        let mut next = Settings::clone(&before);
        for change in changes {
            let declaration = declared(&change.name)?;
            if declaration.change == Change::AtStart {
                return Err(ParameterError::ReadOnly { name: declaration.name });
            }
            declaration.assign(&mut next, &change.value)?;
        }
        accept(&before, &next).map_err(|reason| ParameterError::Unusable { reason })?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        Ok(())
    }
}
