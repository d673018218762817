//! Talks to `ros2 topic echo /chatter`, or listens to `ros2 topic pub /chatter std_msgs/msg/String "data: hi"`.
//!
//! ```text
//! cargo run -p smooth_scene_rtps --example talker -- talk
//! cargo run -p smooth_scene_rtps --example talker -- listen
//! ```

use smooth_scene_rtps::{Config, Endpoint, Event, Participant, Qos, WriteOptions};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let domain_id = std::env::var("ROS_DOMAIN_ID").map_or(Ok(0), |text| text.parse())?;
    let listener = |event: &Event| println!("{event:?}");
    let config = Config { domain_id, listener: Some(Arc::new(listener)), ..Config::default() };
    let participant = Participant::join(config)?;
    let chatter = Endpoint {
        topic: "rt/chatter".to_owned(),
        type_name: "std_msgs::msg::dds_::String_".to_owned(),
        qos: Qos::reliable(10),
        user_data: Vec::new(),
    };
    match std::env::args().nth(1).as_deref() {
        Some("talk") => talk(&participant, &chatter),
        Some("listen") => listen(&participant, &chatter),
        _ => Err("usage: talker talk|listen".into()),
    }
}

fn talk(participant: &Participant, chatter: &Endpoint) -> Result<(), Box<dyn Error>> {
    let writer = participant.create_writer(chatter)?;
    for number in 1.. {
        let text = format!("hello {number}");
        // CDR: the header of little endian, the length with the final zero, the text, the zero.
        let length = u32::try_from(text.len() + 1)?;
        let message = [&[0, 1, 0, 0], &length.to_le_bytes()[..], text.as_bytes(), &[0]].concat();
        writer.write(message, WriteOptions::default())?;
        println!("{text}, to {} readers", writer.readers().len());
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

fn listen(participant: &Participant, chatter: &Endpoint) -> Result<(), Box<dyn Error>> {
    let reader = participant.create_reader(chatter)?;
    while let Some(sample) = reader.take() {
        let text = sample.payload.get(8..).unwrap_or_default();
        println!("{} from {}", String::from_utf8_lossy(text).trim_end_matches('\0'), sample.writer);
    }
    Ok(())
}
