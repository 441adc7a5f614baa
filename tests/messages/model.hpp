// Small message programs as data: what the semantics and the techniques are tested on.
//
// A program is a handful of actors of a few steps each. Requests (sends, receives, locks, ...) are
// numbered within their actor by where they stand in its text, so that tests and waits can name
// them; a request that was jumped over has not been made, and waiting for it is no wait.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mazurka::messages {

enum class Op : std::uint8_t {
  local,      // nothing that others could notice
  send,       // to mailbox x
  receive,    // from mailbox x
  acquire,    // semaphore x, which has one credit
  post,       // semaphore x
  lock,       // requests mutex x
  unlock,     // withdraws request x, if it was made
  arrive,     // at barrier x, of two
  enqueue,    // at condition x
  signal,     // condition x
  broadcast,  // condition x
  test,       // r = one of the requests that is fulfilled + 1; if none is, jump over `skip` steps
  pick,       // choose one of the requests
  wait,       // for the one request, or for the picked one; r = whose message it is + 1
  skip_if,    // if r == x jump over `skip` steps
  check,      // assert r != x
};

struct ModelStep {
  Op op{};
  std::uint8_t x = 0;
  std::uint8_t requests = 0;  // a bit per request; none: the picked one
  std::uint8_t skip = 0;
};

inline constexpr std::size_t most_actors = 10;
inline constexpr std::size_t most_requests = 8;
inline constexpr std::size_t most_objects = 8;  // of each kind
inline constexpr std::uint32_t semaphore_credit = 1;
inline constexpr std::uint32_t barrier_round = 2;

using Actor = std::vector<ModelStep>;
struct Model {
  std::vector<Actor> actors;
};

[[nodiscard]] bool makes_request(Op op);
/// The step that makes an actor's request of this number.
[[nodiscard]] const ModelStep& request_step(const Actor& actor, std::size_t request);
/// The number of the request that the step at this position makes.
[[nodiscard]] std::size_t request_number(const Actor& actor, std::size_t position);

/// Reads `S2 W1 R0 W2 | R2 W1`: S, R send and receive, A and P acquire and post, M and U lock and
/// unlock, B arrive, E, N and V enqueue, signal and broadcast, each with its object (U: its
/// request); W and T with the requests (counted from 1; several as in T1+2; a bare W waits for the
/// latest, W* for the picked one), C pick, L local, I and K skip_if and check; T1/2 skips 2 steps.
[[nodiscard]] Model parse(const std::string& text);
[[nodiscard]] std::string to_string(const Model& model);

struct Features {
  std::string name;
  bool tests = false;
  bool picks = false;
  bool mutexes = false;
  bool others = false;  // semaphores, barriers, conditions
  bool data = false;    // checks and jumps on what was received
};
[[nodiscard]] const std::vector<Features>& feature_sets();

/// The same seed and features give the same model.
[[nodiscard]] Model random_model(std::uint64_t seed, const Features& features);
/// Takes steps and actors away for as long as the model still fails.
[[nodiscard]] Model shrink(Model model, const std::function<bool(const Model&)>& fails);

}  // namespace mazurka::messages
