// Stands in for a program under test: speaks the protocol and misbehaves as its argument says.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <span>
#include <string>

#include "host/channel.hpp"
#include "host/sent_files.hpp"

using namespace mazurka;
using namespace mazurka::host;

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "reply";
  const Channel channel = inherited_channel().value();
  const Request request = channel.receive();
  Progress* progress = &channel.map_progress();
  progress->executions = 5;
  progress->events = 40;
  progress->schedule[0] = {ProcessId{0}, 0};
  progress->schedule[1] = {ProcessId{1}, 2};
  progress->schedule_size = 2;

  if (mode == "die") raise(SIGSEGV);
  if (mode == "exit") _exit(7);
  if (mode == "fails a check" || mode == "fails a check after a reply") {
    hand_on_failed_checks(*progress);
    Reply verified;
    verified.complete = true;
    if (mode != "fails a check") channel.send(verified);
    MAZURKA_CHECK(mode.empty(), "the fake program does what it should");
  }
  if (mode == "forbidden") syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  if (mode == "saves" || mode == "dies while it saves") {
    const auto file = files_sent_over(channel.files, request)(request.save_file);
    file->write(std::as_bytes(std::span("whole", 5)));
    if (mode != "saves") raise(SIGKILL);
    return file->end() == 0 ? 0 : 8;
  }
  if (mode == "garbage") return write(channel.reply, "garbage", 7) == 7 ? 0 : 9;
  if (mode == "deaf") {
    while (true) pause();
  }
  Reply reply;
  if (mode == "draft") {
    reply.draft = true;
    reply.findings.emplace_back().finding.message = "found";
    channel.send(reply);
    while (true) pause();
  }
  if (mode == "wait") {
    while (progress->interrupt == 0) usleep(1000);
    reply.stopped = Stop::interrupted;
  }
  reply.complete = mode != "wait";
  reply.statistics.executions = request.schedule.size();
  reply.notes = {request.technique};
  channel.send(reply);
  return 0;
}
