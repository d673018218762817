//! The program `scene_node`.

fn main() -> std::process::ExitCode {
    smooth_scene::command_line::scene_node()
}
