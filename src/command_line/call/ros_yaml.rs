//! Messages written in YAML, as `ros2 service call` takes them: fields that are left out have the value ROS gives them, and
//! what is unknown or of the wrong kind is refused with its path.

use super::enumerations::Types;
use super::refusal::Refusal;
use crate::interfaces::{Definition, Message};
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde_yaml::Value;

/// Reads a message. Numbers of enumerations may be given by name.
pub(crate) fn read<T: Message>(text: &str) -> Result<T, Refusal> {
    let mut value: Value =
        serde_yaml::from_str(text).map_err(|error| Refusal(error.to_string()))?;
    let Definition { type_name, text, .. } = T::DEFINITION;
    Types::new(type_name, text).to_numbers(type_name, &mut value)?;
    let given = if value.is_null() { None } else { Some(&value) };
    T::deserialize(Field { value: given, path: "request".to_owned(), fallback: 0.0 })
}

/// One value of a message, or its absence.
struct Field<'a> {
    value: Option<&'a Value>,
    path: String,
    /// What a number is that was left out.
    fallback: f64,
}

impl<'a> Field<'a> {
    fn refuse<T>(&self, wanted: &str) -> Result<T, Refusal> {
        let found = match self.value {
            None | Some(Value::Null) => "nothing",
            Some(Value::Bool(_)) => "a truth value",
            Some(Value::Number(_)) => "a number",
            Some(Value::String(_)) => "a string",
            Some(Value::Sequence(_)) => "a list",
            Some(Value::Mapping(_)) => "a map",
            Some(Value::Tagged(_)) => "a tagged value",
        };
        Err(Refusal(format!("{}: is {found}, must be {wanted}", self.path)))
    }

    /// An error below this value, with the path in front unless it has one.
    fn located(&self, error: Refusal) -> Refusal {
        if error.0.starts_with("request") {
            error
        } else {
            Refusal(format!("{}: {}", self.path, error.0))
        }
    }

    fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let visited = match self.value {
            None => visitor.visit_u64(0),
            Some(Value::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(positive), _) => visitor.visit_u64(positive),
                (None, Some(negative)) => visitor.visit_i64(negative),
                (None, None) => return self.refuse("an integer"),
            },
            Some(_) => return self.refuse("an integer"),
        };
        visited.map_err(|error| self.located(error))
    }

    fn float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.value {
            None => visitor.visit_f64(self.fallback),
            Some(value) => match value.as_f64() {
                Some(number) => visitor.visit_f64(number),
                None => self.refuse("a number"),
            },
        }
    }

    fn text<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.value {
            None => visitor.visit_str(""),
            Some(Value::String(text)) => visitor.visit_str(text),
            Some(_) => self.refuse("a string; quote it"),
        }
    }

    fn items(&self, count: Option<usize>) -> Result<Items<'a>, Refusal> {
        let items: Vec<_> = match self.value {
            None => vec![None; count.unwrap_or(0)],
            Some(Value::Sequence(items)) => items.iter().map(Some).collect(),
            Some(_) => return self.refuse("a list"),
        };
        if let Some(count) = count.filter(|count| *count != items.len()) {
            return self.refuse(&format!("a list of {count}"));
        }
        Ok(Items { path: self.path.clone(), items: items.into_iter().enumerate() })
    }
}

macro_rules! integers {
    ($($method:ident),*) => {
        $(fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
            self.integer(visitor)
        })*
    };
}

impl<'a> Deserializer<'a> for Field<'a> {
    type Error = Refusal;

    integers!(
        deserialize_i8,
        deserialize_i16,
        deserialize_i32,
        deserialize_i64,
        deserialize_u8,
        deserialize_u16,
        deserialize_u32,
        deserialize_u64
    );

    fn deserialize_any<V: Visitor<'a>>(self, _: V) -> Result<V::Value, Refusal> {
        self.refuse("of a type that messages have")
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.value {
            None => visitor.visit_bool(false),
            Some(Value::Bool(value)) => visitor.visit_bool(*value),
            Some(_) => self.refuse("true or false"),
        }
    }

    fn deserialize_f32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.float(visitor)
    }

    fn deserialize_f64<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.float(visitor)
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.text(visitor)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_seq(self.items(None)?)
    }

    fn deserialize_tuple<V: Visitor<'a>>(
        self,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_seq(self.items(Some(count))?)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let map = match self.value {
            None => None,
            Some(Value::Mapping(map)) => Some(map),
            Some(_) => return self.refuse("a map of fields"),
        };
        for key in map.into_iter().flat_map(serde_yaml::Mapping::keys) {
            match key.as_str() {
                Some(key) if fields.contains(&key) => {}
                Some(key) => {
                    let known = fields.join(", ");
                    return Err(Refusal(format!(
                        "{}: no field `{key}`; there are {known}",
                        self.path
                    )));
                }
                None => return self.refuse("a map whose keys are names of fields"),
            }
        }
        visitor.visit_map(Fields { name, path: self.path, map, fields: fields.iter(), next: None })
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'a>>
        i128 u128 char bytes byte_buf option unit unit_struct tuple_struct map enum identifier ignored_any
    }
}

struct Items<'a> {
    path: String,
    items: std::iter::Enumerate<std::vec::IntoIter<Option<&'a Value>>>,
}

impl<'a> de::SeqAccess<'a> for Items<'a> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refusal> {
        let Some((index, value)) = self.items.next() else { return Ok(None) };
        let path = format!("{}[{index}]", self.path);
        seed.deserialize(Field { value, path, fallback: 0.0 }).map(Some)
    }
}

/// All fields of a struct, given or not.
struct Fields<'a> {
    name: &'static str,
    path: String,
    map: Option<&'a serde_yaml::Mapping>,
    fields: std::slice::Iter<'static, &'static str>,
    next: Option<&'static str>,
}

impl<'a> de::MapAccess<'a> for Fields<'a> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refusal> {
        self.next = self.fields.next().copied();
        let Some(key) = self.next else { return Ok(None) };
        let key: StrDeserializer<Refusal> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value, Refusal> {
        let field = self.next.expect("serde asks for the key before the value");
        let value = self.map.and_then(|map| map.get(field));
        // The one number in these messages whose default is not zero.
        let fallback = if self.name == "Quaternion" && field == "w" { 1.0 } else { 0.0 };
        seed.deserialize(Field { value, path: format!("{}.{field}", self.path), fallback })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interfaces::srv::{ApplySceneRequest, GetDistanceRequest};
    use crate::interfaces::{geometry_msgs, moveit_msgs};

    #[test]
    fn fields_that_are_left_out_have_their_defaults() {
        assert_eq!(read::<GetDistanceRequest>("").unwrap(), GetDistanceRequest::default());
        assert_eq!(read::<GetDistanceRequest>("{}").unwrap(), GetDistanceRequest::default());
        let text = "{max_distance: 0.05, max_results: 3, bodies_a: [hand], joint_state: {name: [j], position: [1]}}";
        let request: GetDistanceRequest = read(text).unwrap();
        assert_eq!((request.max_distance, request.max_results), (0.05, 3));
        assert_eq!(request.bodies_a, ["hand"]);
        assert_eq!(request.joint_state.position, [1.0]);
        let pose: geometry_msgs::msg::Pose = read("{position: {x: 1}}").unwrap();
        assert_eq!((pose.position.x, pose.orientation.w), (1.0, 1.0));
    }

    #[test]
    fn all_requests_can_be_left_empty() {
        read::<ApplySceneRequest>("{changes: [{}, {}]}").unwrap();
        read::<moveit_msgs::srv::ApplyPlanningSceneRequest>(
            "scene: {world: {collision_objects: [{}]}}",
        )
        .unwrap();
        read::<moveit_msgs::srv::GetStateValidityRequest>("").unwrap();
        read::<moveit_msgs::srv::GetPlanningSceneRequest>("").unwrap();
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            (
                "{max_distanc: 1}",
                "request: no field `max_distanc`; there are joint_state, bodies_a",
            ),
            ("{max_distance: far}", "request.max_distance: is a string, must be a number"),
            ("{max_results: -1}", "request.max_results: "),
            ("{max_results: 1.5}", "request.max_results: is a number, must be an integer"),
            ("{max_results: 5000000000}", "request.max_results: "),
            ("{bodies_a: hand}", "request.bodies_a: is a string, must be a list"),
            ("{bodies_a: [hand, 3]}", "request.bodies_a[1]: is a number, must be a string"),
            ("{gradient: 1}", "request.gradient: is a number, must be true or false"),
            (
                "{joint_state: {header: {stamp: {sec: x}}}}",
                "request.joint_state.header.stamp.sec: ",
            ),
            ("[1]", "request: is a list, must be a map"),
            ("{1: 2}", "names of fields"),
            ("{a: [", "line"),
        ] {
            let error = read::<GetDistanceRequest>(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
