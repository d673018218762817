# Runs in the install step: builds the executables with cargo and puts them where `ros2 run` and `ros2 launch` look.
# Takes: backend, source_dir, target_dir, interface_packages.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

find_program(cargo cargo PATHS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
if(NOT cargo)
  message(FATAL_ERROR "cargo was not found. smooth_scene needs Rust 1.89 or newer: https://rustup.rs")
endif()

# SQLite3 recordings need a C compiler, which a ROS 2 workspace has.
set(features --features sqlite)
if(backend STREQUAL "r2r")
  set(features --features sqlite,r2r)
  # r2r finds messages through the ament index: ours were installed a moment ago, and nobody has sourced that yet.
  set(ENV{AMENT_PREFIX_PATH} "${prefix}:$ENV{AMENT_PREFIX_PATH}")
  set(ENV{CMAKE_PREFIX_PATH} "${prefix}:$ENV{CMAKE_PREFIX_PATH}")
  set(ENV{LD_LIBRARY_PATH} "${prefix}/lib:$ENV{LD_LIBRARY_PATH}")
  # Bindings for what the node speaks and nothing else: two minutes instead of twenty.
  set(ENV{IDL_PACKAGE_FILTER} "smooth_scene;${interface_packages};action_msgs;diagnostic_msgs;lifecycle_msgs;\
moveit_msgs;object_recognition_msgs;octomap_msgs;rcl_interfaces;rosgraph_msgs;service_msgs;shape_msgs;tf2_msgs;\
type_description_interfaces;unique_identifier_msgs;visualization_msgs")
endif()

execute_process(
  COMMAND "${cargo}" build --release --locked --bins ${features} --target-dir "${target_dir}"
  WORKING_DIRECTORY "${source_dir}"
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "cargo could not build the node (${result}): its message is above")
endif()

foreach(program joint_sweep scene_node smooth_scene)
  file(INSTALL DESTINATION "${prefix}/lib/smooth_scene" TYPE PROGRAM FILES "${target_dir}/release/${program}")
endforeach()
