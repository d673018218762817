// A plain server of rcl, without any of our code: answers smooth_scene/srv/GetScene at /stock/get_scene until SIGTERM, then prints
// how many requests it took and answered.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <rcl/error_handling.h>
#include <rcl/rcl.h>
#include <smooth_scene/srv/get_scene.h>

static volatile sig_atomic_t stopped = 0;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static void check(rcl_ret_t result, const char *what) {
  if (result == RCL_RET_OK) return;
  fprintf(stderr, "%s: %s\n", what, rcl_get_error_string().str);
  exit(2);
}

int main(void) {
  signal(SIGTERM, stop);
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  check(rcl_init_options_init(&options, allocator), "options");
  rcl_context_t context = rcl_get_zero_initialized_context();
  check(rcl_init(0, NULL, &options, &context), "context");
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_node_options_t node_options = rcl_node_get_default_options();
  check(rcl_node_init(&node, "stock", "", &context, &node_options), "node");
  rcl_service_t service = rcl_get_zero_initialized_service();
  rcl_service_options_t service_options = rcl_service_get_default_options();
  const rosidl_service_type_support_t *type = ROSIDL_GET_SRV_TYPE_SUPPORT(smooth_scene, srv, GetScene);
  check(rcl_service_init(&service, &node, type, "~/get_scene", &service_options), "service");
  rcl_wait_set_t waiting = rcl_get_zero_initialized_wait_set();
  check(rcl_wait_set_init(&waiting, 0, 0, 0, 0, 1, 0, &context, allocator), "wait set");
  long taken = 0, sent = 0;
  while (!stopped) {
    check(rcl_wait_set_clear(&waiting), "wait set");
    check(rcl_wait_set_add_service(&waiting, &service, NULL), "wait set");
    rcl_ret_t result = rcl_wait(&waiting, 100000000);
    if (result == RCL_RET_TIMEOUT) continue;
    check(result, "wait");
    smooth_scene__srv__GetScene_Request request;
    smooth_scene__srv__GetScene_Request__init(&request);
    rmw_request_id_t id;
    if (rcl_take_request(&service, &id, &request) == RCL_RET_OK) {
      taken++;
      smooth_scene__srv__GetScene_Response response;
      smooth_scene__srv__GetScene_Response__init(&response);
      response.status = smooth_scene__srv__GetScene_Response__OK;
      if (rcl_send_response(&service, &id, &response) == RCL_RET_OK) sent++;
      smooth_scene__srv__GetScene_Response__fini(&response);
    }
    rcl_reset_error();
    smooth_scene__srv__GetScene_Request__fini(&request);
  }
  fprintf(stderr, "%ld requests taken, %ld answered\n", taken, sent);
  return 0;
}
