//! The program `smooth_scene`.

fn main() -> std::process::ExitCode {
    smooth_scene::command_line::smooth_scene()
}
