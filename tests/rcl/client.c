// A client of rcl: calls smooth_scene/srv/GetScene and counts what comes back.
//
//   client SERVICE CALLS AT_ONCE DEPTH
//
// Requests go out AT_ONCE at a time; the next ones follow when all of them are answered or two seconds are over. DEPTH is that
// of the service QoS, 10 by default in ROS 2. Prints one line: answered, refused, lost, and the time of a whole burst.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <rcl/error_handling.h>
#include <rcl/graph.h>
#include <rcl/rcl.h>
#include <smooth_scene/srv/get_scene.h>

static const double PATIENCE = 2.0;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check(rcl_ret_t result, const char *what) {
  if (result == RCL_RET_OK) return;
  fprintf(stderr, "%s: %s\n", what, rcl_get_error_string().str);
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "client SERVICE CALLS AT_ONCE DEPTH\n");
    return 2;
  }
  int calls = atoi(argv[2]), at_once = atoi(argv[3]);

  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  check(rcl_init_options_init(&options, allocator), "options");
  rcl_context_t context = rcl_get_zero_initialized_context();
  check(rcl_init(0, NULL, &options, &context), "context");
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_node_options_t node_options = rcl_node_get_default_options();
  char name[32];
  snprintf(name, sizeof name, "client_%d", (int)getpid());
  check(rcl_node_init(&node, name, "", &context, &node_options), "node");
  rcl_client_t client = rcl_get_zero_initialized_client();
  rcl_client_options_t client_options = rcl_client_get_default_options();
  client_options.qos.depth = (size_t)atoi(argv[4]);
  const rosidl_service_type_support_t *type = ROSIDL_GET_SRV_TYPE_SUPPORT(smooth_scene, srv, GetScene);
  check(rcl_client_init(&client, &node, type, argv[1], &client_options), "client");

  bool found = false;
  for (double begin = now(); !found;) {
    check(rcl_service_server_is_available(&node, &client, &found), "looking for the server");
    if (now() - begin > 10.0) {
      fprintf(stderr, "no server of %s\n", argv[1]);
      return 3;
    }
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
  }

  rcl_wait_set_t waiting = rcl_get_zero_initialized_wait_set();
  check(rcl_wait_set_init(&waiting, 0, 0, 0, 1, 0, 0, &context, allocator), "wait set");
  int bursts = calls / at_once, answered = 0, refused = 0, lost = 0;
  double *times = malloc(sizeof(double) * (size_t)bursts);
  for (int burst = 0; burst < bursts; burst++) {
    double begin = now();
    int64_t first = 0, last = 0;
    for (int k = 0; k < at_once; k++) {
      smooth_scene__srv__GetScene_Request request;
      smooth_scene__srv__GetScene_Request__init(&request);
      check(rcl_send_request(&client, &request, &last), "request");
      smooth_scene__srv__GetScene_Request__fini(&request);
      if (k == 0) first = last;
    }
    int open = at_once;
    while (open > 0 && now() - begin < PATIENCE) {
      check(rcl_wait_set_clear(&waiting), "wait set");
      check(rcl_wait_set_add_client(&waiting, &client, NULL), "wait set");
      double left = PATIENCE - (now() - begin);
      if (left <= 0.0) break;
      rcl_ret_t result = rcl_wait(&waiting, (int64_t)(left * 1e9));
      if (result == RCL_RET_TIMEOUT) break;
      check(result, "wait");
      smooth_scene__srv__GetScene_Response response;
      smooth_scene__srv__GetScene_Response__init(&response);
      rmw_request_id_t id;
      // A reply to another client is not taken: that is no error.
      while (open > 0 && rcl_take_response(&client, &id, &response) == RCL_RET_OK) {
        if (id.sequence_number < first || id.sequence_number > last) continue;
        open--;
        if (response.status == smooth_scene__srv__GetScene_Response__OK) answered++;
        else refused++;
      }
      rcl_reset_error();
      smooth_scene__srv__GetScene_Response__fini(&response);
    }
    lost += open;
    times[burst] = now() - begin;
  }
  qsort(times, (size_t)bursts, sizeof(double), ascending);
  printf("%d answered %d refused %d lost, median %.0f us, 99 %% %.0f us\n", answered, refused, lost,
         times[bursts / 2] * 1e6, times[bursts * 99 / 100] * 1e6);
  free(times);
  check(rcl_wait_set_fini(&waiting), "wait set");
  check(rcl_client_fini(&client, &node), "client");
  check(rcl_node_fini(&node), "node");
  check(rcl_shutdown(&context), "context");
  return 0;
}
