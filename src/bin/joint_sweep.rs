//! The program `joint_sweep`.

fn main() -> std::process::ExitCode {
    smooth_scene::command_line::joint_sweep()
}
