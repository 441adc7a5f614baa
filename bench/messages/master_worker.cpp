// A master hands a task to each of N-1 workers and collects their results in one mailbox.
// (N-1)! traces: in which order the results come in.
//
// As in the paper, three processes send both tasks before waiting; more send and wait in turn.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>
#include <vector>

#ifndef N
#define N 3
#endif

using mazurka::messages::Actors;
using mazurka::messages::Mailbox;
using mazurka::messages::Request;

static std::array<Mailbox<int>, N> tasks;
static Mailbox<int> results;

static void worker(int number) {
  const int task = tasks[static_cast<std::size_t>(number)].receive();
  results.send(task * task);
}

static void master() {
  std::vector<Request> sent;
  for (int number = 1; number < N; ++number) {
    sent.push_back(tasks[static_cast<std::size_t>(number)].async_send(number));
    if (N > 3) sent.back().wait();
  }
  if (N == 3) wait_all(sent);
  int sum = 0;
  for (int number = 1; number < N; ++number) sum += results.receive();
  assert(sum == (N - 1) * N * (2 * N - 1) / 6);
}

int main() {
  Actors actors;
  actors.start(master);
  for (int number = 1; number < N; ++number) actors.start(worker, number);
}
