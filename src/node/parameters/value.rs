//! Parameter values on the wire ↔ fields of the settings.

use super::settings::Settings;
use super::table::{Change, Declaration, Field, PARAMETERS, find};
use crate::interfaces::rcl_interfaces::msg::{
    FloatingPointRange, IntegerRange, ParameterDescriptor, ParameterType, ParameterValue,
};

/// Why a parameter was not set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The node has no such parameter.
    #[error("parameter `{name}` was not declared{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name there is, as a question.
        hint: String,
    },
    /// It can be set at start only.
    #[error("parameter `{name}` is read-only: it can be set at start only")]
    ReadOnly {
        /// The name.
        name: &'static str,
    },
    /// The value is of another type.
    #[error("parameter `{name}` is of type {expected}, not {given}{hint}")]
    WrongType {
        /// The name.
        name: &'static str,
        /// Its type.
        expected: &'static str,
        /// The type of the value.
        given: &'static str,
        /// How to write it.
        hint: &'static str,
    },
    /// The value is not permitted.
    #[error("parameter `{name}` is {value}, must be {range}")]
    OutOfRange {
        /// The name.
        name: &'static str,
        /// The value.
        value: String,
        /// What it may be.
        range: String,
    },
    /// The node cannot use the value.
    #[error("{reason}")]
    Unusable {
        /// Why.
        reason: String,
    },
}

/// The declaration of a parameter, or the nearest name there is.
pub(super) fn declared(name: &str) -> Result<&'static Declaration, ParameterError> {
    find(name).ok_or_else(|| {
        let near = |known: &&Declaration| strsim::damerau_levenshtein(known.name, name);
        let nearest = PARAMETERS.iter().min_by_key(near).filter(|known| near(known) <= 3);
        let hint = nearest.map(|known| format!("; did you mean `{}`?", known.name));
        ParameterError::Unknown { name: name.into(), hint: hint.unwrap_or_default() }
    })
}

impl Declaration {
    /// The type as in `rcl_interfaces/msg/ParameterType`.
    pub fn type_number(&self) -> u8 {
        match self.field {
            Field::Switch(_) => ParameterType::PARAMETER_BOOL,
            Field::Count(..) => ParameterType::PARAMETER_INTEGER,
            Field::Number(..) => ParameterType::PARAMETER_DOUBLE,
            Field::Text(_) | Field::Choice(..) => ParameterType::PARAMETER_STRING,
            Field::Texts(_) => ParameterType::PARAMETER_STRING_ARRAY,
        }
    }

    /// What the settings say. They are not changed.
    pub fn value(&self, settings: &mut Settings) -> ParameterValue {
        let mut value = ParameterValue { type_: self.type_number(), ..ParameterValue::default() };
        match &self.field {
            Field::Switch(field) => value.bool_value = *field(settings),
            Field::Count(field, _) => value.integer_value = *field(settings) as i64,
            Field::Number(field, _) => value.double_value = *field(settings),
            Field::Text(field) | Field::Choice(field, _) => {
                value.string_value = field(settings).clone();
            }
            Field::Texts(field) => value.string_array_value = field(settings).clone(),
        }
        value
    }

    /// Sets the field to a value of the right type and range, or says what is wrong with it.
    pub fn assign(
        &self,
        settings: &mut Settings,
        value: &ParameterValue,
    ) -> Result<(), ParameterError> {
        self.check_type(value)?;
        let out_of_range = |value: String| {
            let range = self.range_in_words();
            ParameterError::OutOfRange { name: self.name, value, range }
        };
        match &self.field {
            Field::Switch(field) => *field(settings) = value.bool_value,
            Field::Count(field, range) => {
                let count = value.integer_value;
                if !range.contains(&count) {
                    return Err(out_of_range(count.to_string()));
                }
                *field(settings) = usize::try_from(count).expect("ranges of counts start at 0");
            }
            Field::Number(field, range) => {
                let number = value.double_value;
                if !range.contains(&number) {
                    return Err(out_of_range(number.to_string()));
                }
                *field(settings) = number;
            }
            Field::Text(field) => field(settings).clone_from(&value.string_value),
            Field::Choice(field, words) => {
                if !words.contains(&value.string_value.as_str()) {
                    return Err(out_of_range(format!("\"{}\"", value.string_value)));
                }
                field(settings).clone_from(&value.string_value);
            }
            Field::Texts(field) => field(settings).clone_from(&value.string_array_value),
        }
        Ok(())
    }

    fn check_type(&self, value: &ParameterValue) -> Result<(), ParameterError> {
        let expected = self.type_number();
        // An empty list in a parameter file has no type of its own.
        let empty_list = expected == ParameterType::PARAMETER_STRING_ARRAY
            && value.type_ == ParameterType::PARAMETER_BYTE_ARRAY
            && value.byte_array_value.is_empty();
        if value.type_ == expected || empty_list {
            return Ok(());
        }
        let whole = value.type_ == ParameterType::PARAMETER_INTEGER;
        let hint = if whole && expected == ParameterType::PARAMETER_DOUBLE {
            "; write a decimal point, as in 1.0"
        } else {
            ""
        };
        let (expected, given) = (type_name(expected), type_name(value.type_));
        Err(ParameterError::WrongType { name: self.name, expected, given, hint })
    }

    /// What it may be, in words.
    pub fn range_in_words(&self) -> String {
        match &self.field {
            Field::Count(_, range) => format!("in [{}, {}]", range.start(), range.end()),
            Field::Number(_, range) => format!("in [{:?}, {:?}]", range.start(), range.end()),
            Field::Choice(_, words) => format!("one of {}", words.join(", ")),
            Field::Switch(_) | Field::Text(_) | Field::Texts(_) => String::new(),
        }
    }

    /// The description for tools.
    pub fn descriptor(&self) -> ParameterDescriptor {
        let mut descriptor = ParameterDescriptor {
            name: self.name.into(),
            type_: self.type_number(),
            description: self.description.into(),
            read_only: self.change == Change::AtStart,
            ..ParameterDescriptor::default()
        };
        match &self.field {
            Field::Count(_, range) => {
                let (from_value, to_value) = (*range.start(), *range.end());
                descriptor.integer_range = vec![IntegerRange { from_value, to_value, step: 0 }];
            }
            Field::Number(_, range) => {
                let (from_value, to_value) = (*range.start(), *range.end());
                let range = FloatingPointRange { from_value, to_value, step: 0.0 };
                descriptor.floating_point_range = vec![range];
            }
            Field::Choice(..) => descriptor.additional_constraints = self.range_in_words(),
            Field::Switch(_) | Field::Text(_) | Field::Texts(_) => {}
        }
        descriptor
    }
}

/// The name of a type, as `ros2 param` writes it.
pub(super) fn type_name(number: u8) -> &'static str {
    match number {
        ParameterType::PARAMETER_NOT_SET => "not set",
        ParameterType::PARAMETER_BOOL => "boolean",
        ParameterType::PARAMETER_INTEGER => "integer",
        ParameterType::PARAMETER_DOUBLE => "double",
        ParameterType::PARAMETER_STRING => "string",
        ParameterType::PARAMETER_BYTE_ARRAY => "byte array",
        ParameterType::PARAMETER_BOOL_ARRAY => "boolean array",
        ParameterType::PARAMETER_INTEGER_ARRAY => "integer array",
        ParameterType::PARAMETER_DOUBLE_ARRAY => "double array",
        ParameterType::PARAMETER_STRING_ARRAY => "string array",
        _ => "unknown",
    }
}
