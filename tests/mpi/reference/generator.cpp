#include "mpi/reference/generator.hpp"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <utility>

namespace mazurka::mpi_reference {

namespace {

Operation operation(Kind kind, std::vector<int> words) {
  Operation one;
  one.kind = kind;
  one.words = std::move(words);
  return one;
}

class Generator {
 public:
  Generator(std::uint64_t seed, const Wishes& wishes) : random_(seed), wishes_(wishes) {}

  Program program() {
    while (true) {
      Program made = attempt();
      const bool fits = std::all_of(made.begin(), made.end(), [](const Operations& one) {
        return one.size() <= max_operations;
      });
      if (fits) return made;
    }
  }

 private:
  using Block = Operations;  // that stays together

  Program attempt();
  void add_message();
  void add_persistent_message(int source, int destination, int tag);
  void add_collective();
  void insert(int rank, Block block);
  void insert_collective(int rank, const Operation& one, bool last);
  void drop_one();
  Operation sending(int destination, int tag);
  Operation swapping(int with, int tag);
  Block receiving(int source, int tag);
  std::vector<Block> with_messages_kept(std::vector<Block> plan);
  Operations finished(int rank);
  void maybe_complete(Operations& operations, std::size_t first);
  Operation testing(const Operations& operations, const std::vector<int>& requests);

  int below(std::size_t end) { return static_cast<int>(random_() % end); }
  bool happens(double probability) {
    constexpr std::size_t parts = 1'000'000;
    return below(parts) < probability * static_cast<double>(parts);
  }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }
  int one_of(const std::vector<int>& values) { return values[std::size_t(below(values.size()))]; }

  std::mt19937_64 random_;
  Wishes wishes_;
  int ranks_ = 0;
  int tags_ = 1;
  double wild_ = 0;     // how often a source is any
  double hot_ = 0;      // how often rank 0 receives
  double orderly_ = 0;  // how often what is new comes last
  bool tests_ = false;
  bool has_other_ = false;  // whether there is another communicator
  std::vector<std::vector<Block>> plan_;
  std::vector<Operations> prologue_;  // persistent requests
};

Program Generator::attempt() {
  ranks_ = one_of({2, 3, 3, 3, 4});
  plan_.assign(std::size_t(ranks_), {});
  prologue_.assign(std::size_t(ranks_), {});
  tags_ = one_of({1, 1, 2});
  wild_ = one_of({0.2, 0.6, 0.9});
  has_other_ = happens(0.2);
  hot_ = happens(0.6) ? 0.7 : 0;
  orderly_ = one_of({0.85, 1.0, 1.0});
  tests_ = wishes_.tests && happens(0.5);
  const int messages = 2 + below(ranks_ < 4 ? 5 : 4);
  for (int nth = 0; nth < messages; ++nth) add_message();
  if (happens(0.06)) drop_one();
  const int collectives = wishes_.collectives ? one_of({0, 0, 0, 1, 1, 2}) : 0;
  for (int nth = 0; nth < collectives; ++nth) add_collective();
  Program program;
  for (int rank = 0; rank < ranks_; ++rank) program.push_back(finished(rank));
  return program;
}

void Generator::add_message() {
  int source = below(std::size_t(ranks_));
  int destination = (source + 1 + below(std::size_t(ranks_ - 1))) % ranks_;
  if (destination != 0 && happens(hot_)) source = std::exchange(destination, 0);
  int tag = below(std::size_t(tags_));
  if (has_other_ && happens(0.4)) tag += first_other_tag;
  if (happens(0.1)) {
    insert(source, {swapping(destination, tag)});
    insert(destination, {swapping(source, tag)});
  } else if (happens(0.08)) {
    add_persistent_message(source, destination, tag);
  } else if (happens(0.04)) {  // to itself
    Operation send = sending(source, tag);
    send.kind = Kind::isend;
    insert(source, {send});
    insert(source, receiving(source, tag));
  } else {
    insert(source, {sending(destination, tag)});
    insert(destination, receiving(source, tag));
  }
}

// Once or twice; before it begins, it is waited for.
void Generator::add_persistent_message(int source, int destination, int tag) {
  const auto starting = [&](int rank, const Operation& what) -> Block {
    Operations& made = prologue_[std::size_t(rank)];
    made.push_back(what);
    const int request = static_cast<int>(made.size()) - 1;
    return {operation(Kind::wait, {request}), operation(Kind::start, {0, request})};
  };
  Operation send = sending(destination, tag);
  send.kind = Kind::sendinit;
  send.words.pop_back();
  const int from = happens(wild_) ? any : source;
  const Block sends = starting(source, send);
  const Block receives = happens(0.7)
                             ? starting(destination, operation(Kind::recvinit, {from, tag}))
                             : Block{operation(Kind::recv, {from, tag})};
  const int times = one_of({1, 2});
  for (int nth = 0; nth < times; ++nth) {
    insert(source, sends);
    insert(destination, receives);
  }
}

Operation Generator::swapping(int with, int tag) {
  const int source = happens(wild_ / 2) ? any : with;
  return operation(Kind::sendrecv, {with, tag, 0, source, tag});
}

// Mostly behind what is there: programs that are shuffled entirely deadlock at once.
void Generator::insert(int rank, Block block) {
  std::vector<Block>& plan = plan_[std::size_t(rank)];
  const std::size_t at = happens(orderly_) ? plan.size() : std::size_t(below(plan.size() + 1));
  plan.insert(plan.begin() + static_cast<std::ptrdiff_t>(at), std::move(block));
}

Operation Generator::sending(int destination, int tag) {
  Operation one = operation(one_of({Kind::send, Kind::send, Kind::isend}), {destination, tag, 0});
  one.mode = one_of({Mode::standard, Mode::standard, Mode::standard, Mode::standard,
                     Mode::synchronous, Mode::buffered});
  return one;
}

Generator::Block Generator::receiving(int source, int tag) {
  if (happens(wild_)) source = any;
  if (happens(0.2)) tag = tag < first_other_tag ? any : any_other;
  const auto from = [&](Kind kind) { return operation(kind, {source, tag}); };
  const int kind = below(100);
  if (kind < 45) return {from(Kind::recv)};
  if (kind < 78) return {from(Kind::irecv)};
  if (kind < 85) return {from(Kind::probe), operation(Kind::take, {})};
  if (kind < 90) return {from(Kind::mprobe), operation(Kind::mrecv, {})};
  if (kind < 94 || !tests_) return {from(Kind::mprobe), operation(Kind::imrecv, {})};
  if (kind < 98) return {from(Kind::iprobe), from(Kind::recv)};
  return {from(Kind::improbe), operation(Kind::mrecv, {})};
}

void Generator::drop_one() {
  std::vector<Block>& plan = plan_[std::size_t(below(plan_.size()))];
  if (!plan.empty()) plan.erase(plan.begin() + below(plan.size()));
}

void Generator::add_collective() {
  Operation one = operation(Kind::collective, {0, has_other_ && happens(0.5) ? 1 : 0});
  one.shape = one_of({Shape::barrier, Shape::barrier, Shape::bcast, Shape::reduce, Shape::allreduce,
                      Shape::gather, Shape::scatter, Shape::scan, Shape::exscan, Shape::alltoall});
  one.nonblocking = happens(0.35);
  if (is_rooted(one.shape)) one.words[0] = below(std::size_t(ranks_));
  const bool last = happens(0.6);
  for (int rank = 0; rank < ranks_; ++rank) insert_collective(rank, one, last);
}

// In the same order everywhere: behind the collectives of its communicator that are there.
void Generator::insert_collective(int rank, const Operation& one, bool last) {
  std::vector<Block>& plan = plan_[std::size_t(rank)];
  std::size_t first = 0;
  for (std::size_t at = 0; at < plan.size(); ++at) {
    const Operation& there = plan[at].front();
    if (there.kind == Kind::collective && there.words[1] == one.words[1]) first = at + 1;
  }
  const std::size_t room = plan.size() - first;
  const std::size_t at = first + (last ? room : std::size_t(below(room + 1)));
  plan.insert(plan.begin() + static_cast<std::ptrdiff_t>(at), {one});
}

// Some messages that a probe has kept are received only after the next block.
std::vector<Generator::Block> Generator::with_messages_kept(std::vector<Block> plan) {
  const auto keeps = [](const Block& block) {
    return block.front().kind == Kind::mprobe || block.front().kind == Kind::improbe;
  };
  for (std::size_t at = 0; at + 1 < plan.size(); ++at) {
    const bool can = keeps(plan[at]) && plan[at].size() == 2 && !keeps(plan[at + 1]);
    if (!can || !happens(0.5)) continue;
    const Block receive{plan[at].back()};
    plan[at].pop_back();
    plan.insert(plan.begin() + static_cast<std::ptrdiff_t>(at) + 2, receive);
    at += 2;
  }
  return plan;
}

// With requests waited for, branches, and the values and indices that belong there.
Operations Generator::finished(int rank) {
  Operations operations = prologue_[std::size_t(rank)];
  const std::size_t first = operations.size();
  const std::vector<Block> plan = with_messages_kept(plan_[std::size_t(rank)]);
  for (const Block& block : plan) {
    const Kind kind = block.front().kind;
    if (kind != Kind::collective && kind != Kind::mprobe && happens(0.07)) {
      operations.push_back(operation(Kind::skip, {2, below(2), static_cast<int>(block.size())}));
    }
    operations.insert(operations.end(), block.begin(), block.end());
    maybe_complete(operations, first);
  }
  const std::vector<int> open = open_requests(operations);
  if (!open.empty() && happens(0.92)) operations.push_back(operation(Kind::wait, open));
  for (std::size_t index = 0; index < operations.size(); ++index) {
    Operation& one = operations[index];
    const int value = value_of(std::size_t(rank), index);
    if (one.kind == Kind::start) one.words[0] = value;
    const bool sends = one.kind == Kind::send || one.kind == Kind::isend;
    if (sends || one.kind == Kind::sendrecv) one.words[2] = value;
  }
  return operations;
}

// `first`: of the operations that are no preparation.
void Generator::maybe_complete(Operations& operations, std::size_t first) {
  const std::vector<int> open = open_requests(operations);
  if (open.empty() || happens(0.6)) return;
  const int kind = below(100);
  const int request = one_of(open);
  if (kind < 45) {
    operations.push_back(operation(Kind::wait, {request}));
  } else if (kind < 75) {
    operations.push_back(operation(Kind::waitany, open));
  } else if (kind < 80) {
    const Kind of = operations[std::size_t(request)].kind;
    const bool can_be_freed = of == Kind::isend || (of == Kind::irecv && happens(0.3));
    if (std::size_t(request) >= first && can_be_freed) {
      operations.push_back(operation(Kind::free, {request}));
    }
  } else if (tests_) {
    operations.push_back(testing(operations, open));
  }
}

Operation Generator::testing(const Operations& operations, const std::vector<int>& requests) {
  const Kind kind = one_of({Kind::test, Kind::test, Kind::test, Kind::testall, Kind::testany,
                            Kind::testsome, Kind::waitsome, Kind::cancel});
  if (kind == Kind::test) return operation(kind, {one_of(requests)});
  if (kind != Kind::cancel) return operation(kind, requests);
  std::vector<int> receives;
  for (const int one : requests) {
    if (operations[std::size_t(one)].kind == Kind::irecv) receives.push_back(one);
  }
  if (receives.empty()) return operation(Kind::testall, requests);
  return operation(kind, {one_of(receives)});
}

}  // namespace

Program random_program(std::uint64_t seed, const Wishes& wishes) {
  return Generator(seed, wishes).program();
}

}  // namespace mazurka::mpi_reference
