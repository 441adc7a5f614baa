// Stands in for a program under test: speaks the protocol and misbehaves as its argument says.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "programs/threads/wire.hpp"

namespace {

using namespace mazurka;
using namespace mazurka::threads;

int descriptor(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? -1 : std::atoi(value);
}

Request read_request() {
  const int file = descriptor(request_variable);
  std::vector<std::byte> bytes(1 << 16);
  const ssize_t count = read(file, bytes.data(), bytes.size());
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return decode_request(bytes);
}

void send(const Reply& reply) {
  const std::vector<std::byte> bytes = encode(reply);
  if (write(descriptor(reply_variable), bytes.data(), bytes.size()) < 0) _exit(9);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "reply";
  const Request request = read_request();
  auto* progress = static_cast<Progress*>(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                                               MAP_SHARED, descriptor(progress_variable), 0));
  progress->executions = 5;
  progress->events = 40;
  progress->schedule[0] = {ProcessId{0}, 0};
  progress->schedule[1] = {ProcessId{1}, 2};
  progress->schedule_size = 2;

  if (mode == "die") raise(SIGSEGV);
  if (mode == "exit") _exit(7);
  if (mode == "garbage") return write(descriptor(reply_variable), "garbage", 7) == 7 ? 0 : 9;
  if (mode == "deaf") {
    while (true) pause();
  }
  Reply reply;
  if (mode == "wait") {
    while (progress->interrupt == 0) usleep(1000);
    reply.stopped = Stop::interrupted;
  }
  reply.complete = mode != "wait";
  reply.statistics.executions = request.schedule.size();
  reply.notes = {request.technique};
  send(reply);
  return 0;
}
