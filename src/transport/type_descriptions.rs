//! Describes the types of our interfaces to whoever asks: the service `~/get_type_description` of REP 2016.

use super::endpoints::Transport;
use super::error::TransportError;
use crate::cdr;
use crate::interfaces::type_description_interfaces::msg::{
    Field, FieldType, IndividualTypeDescription, TypeDescription, TypeSource,
};
use crate::interfaces::type_description_interfaces::srv::{
    GetTypeDescription, GetTypeDescriptionRequest, GetTypeDescriptionResponse,
};
use crate::interfaces::{
    Definition, FieldDescription, ServiceType, definition, definition_by_hash,
};

/// The name of the service, as every node of rclcpp has it.
pub const SERVICE: &str = "~/get_type_description";

/// Offers the service.
pub(super) fn serve(transport: &dyn Transport) -> Result<(), TransportError> {
    let answer_bytes = |bytes: &[u8]| match cdr::decode(bytes) {
        Ok(request) => answer(&request),
        Err(fault) => refuse(format!("the request cannot be read: {fault}")),
    };
    transport.serve(
        SERVICE,
        GetTypeDescription::TYPE_NAME,
        // The answer is a copy of constants: no thread of the node is needed for it.
        Box::new(move |bytes, reply| reply.send(cdr::encode(&answer_bytes(&bytes)))),
    )
}

fn refuse(failure_reason: String) -> GetTypeDescriptionResponse {
    GetTypeDescriptionResponse { failure_reason, ..GetTypeDescriptionResponse::default() }
}

fn answer(request: &GetTypeDescriptionRequest) -> GetTypeDescriptionResponse {
    let GetTypeDescriptionRequest { type_name, type_hash, include_type_sources } = request;
    // As in rcl the hash decides; a request without one gets what has the name.
    let found = match type_hash.as_str() {
        "" => definition(type_name),
        hash => definition_by_hash(hash),
    };
    let Some(found) = found.filter(|found| type_name.is_empty() || found.type_name == *type_name)
    else {
        return refuse(format!("`{type_name}` with the hash `{type_hash}` is not used here"));
    };
    let referenced: Vec<&Definition> = found.referenced.iter().map(|name| known(name)).collect();
    let description = TypeDescription {
        type_description: individual(found),
        referenced_type_descriptions: referenced.iter().map(|one| individual(one)).collect(),
    };
    let type_sources = match include_type_sources {
        true => std::iter::once(found).chain(referenced).map(source).collect(),
        false => Vec::new(),
    };
    GetTypeDescriptionResponse {
        successful: true,
        type_description: description,
        type_sources,
        ..GetTypeDescriptionResponse::default()
    }
}

fn known(type_name: &str) -> &'static Definition {
    definition(type_name).expect("the build script defines every type that another one refers to")
}

fn individual(definition: &Definition) -> IndividualTypeDescription {
    IndividualTypeDescription {
        type_name: definition.type_name.to_owned(),
        fields: definition.fields.iter().map(field).collect(),
    }
}

fn field(field: &FieldDescription) -> Field {
    Field {
        name: field.name.to_owned(),
        type_: FieldType {
            type_id: field.type_id,
            capacity: field.capacity,
            string_capacity: field.string_capacity,
            nested_type_name: field.nested_type_name.to_owned(),
        },
        default_value: field.default_value.to_owned(),
    }
}

fn source(definition: &Definition) -> TypeSource {
    TypeSource {
        type_name: definition.type_name.to_owned(),
        encoding: definition.encoding.to_owned(),
        raw_file_contents: definition.source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interfaces::msg::Proximity;
    use crate::interfaces::{Message, srv};

    fn ask(type_name: &str, type_hash: &str) -> GetTypeDescriptionResponse {
        let (type_name, type_hash) = (type_name.to_owned(), type_hash.to_owned());
        let request = GetTypeDescriptionRequest { type_name, type_hash, ..Default::default() };
        answer(&request)
    }

    /// The hash that ROS 2 Jazzy has for this service, as given in the source of the `hiroz` client library.
    #[test]
    fn the_hash_of_a_service_is_that_of_ros() {
        assert_eq!(
            GetTypeDescription::DEFINITION.hash,
            "RIHS01_69b9c19c1021405984cc60dbbb1edceb147a6538b411d812ba6afabeed962cd5"
        );
    }

    #[test]
    fn a_service_is_described_with_everything_in_it() {
        let described = ask("", srv::GetDistance::DEFINITION.hash);
        assert!(described.successful, "{}", described.failure_reason);
        let TypeDescription { type_description, referenced_type_descriptions } =
            &described.type_description;
        assert_eq!(type_description.type_name, "smooth_scene/srv/GetDistance");
        let fields: Vec<&str> = type_description.fields.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(fields, ["request_message", "response_message", "event_message"]);
        let names = referenced_type_descriptions.iter().map(|one| one.type_name.as_str());
        let names: Vec<&str> = names.collect();
        for expected in [
            "service_msgs/msg/ServiceEventInfo",
            Proximity::TYPE_NAME,
            "smooth_scene/srv/GetDistance_Event",
        ] {
            assert!(names.contains(&expected), "{names:?}");
        }
        assert!(names.is_sorted());
        assert_eq!(described.type_sources.len(), names.len() + 1);
        let own = include_str!("../../srv/GetDistance.srv");
        assert_eq!(described.type_sources[0].raw_file_contents.trim(), own.trim());
    }

    #[test]
    fn what_is_not_used_is_refused_with_its_name() {
        let wrong_hash = "RIHS01_00";
        for (name, hash) in
            [("no_msgs/msg/Such", ""), ("", wrong_hash), (Proximity::TYPE_NAME, wrong_hash)]
        {
            let refused = ask(name, hash);
            assert!(!refused.successful);
            assert!(refused.failure_reason.contains(name) && refused.failure_reason.contains(hash));
            assert!(refused.type_description.type_description.fields.is_empty());
        }
        let other = ask(Proximity::TYPE_NAME, srv::GetDistance::DEFINITION.hash);
        assert!(!other.successful, "the name has to be that of the hash");
    }
}
