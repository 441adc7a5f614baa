#include "cluster/connection.hpp"

#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "core/check.hpp"

namespace mazurka::cluster {

namespace {

using Clock = std::chrono::steady_clock;

constexpr timeval for_connecting{2, 0};
constexpr timeval for_answers{20, 0};
constexpr std::chrono::milliseconds first_retry{20};
constexpr std::chrono::milliseconds last_retry{1000};
constexpr std::chrono::milliseconds moment{20};

struct EndReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

Answer answer_of(const redisReply& reply) {
  Answer answer;
  switch (reply.type) {
    case REDIS_REPLY_NIL: break;
    case REDIS_REPLY_INTEGER:
      answer.kind = Answer::Kind::number;
      answer.number = reply.integer;
      answer.text = std::to_string(reply.integer);
      break;
    case REDIS_REPLY_ARRAY:
      answer.kind = Answer::Kind::list;
      for (std::size_t at = 0; at < reply.elements; ++at) {
        answer.list.push_back(answer_of(*reply.element[at]));
      }
      break;
    default:
      answer.kind = Answer::Kind::text;
      answer.text.assign(reply.str, reply.len);
      break;
  }
  return answer;
}

/// The server is there, and can not do it now.
bool is_passing(const std::string& error) {
  for (const std::string word :
       {"LOADING", "BUSY", "MASTERDOWN", "READONLY", "TRYAGAIN", "OOM", "MISCONF", "CLUSTERDOWN",
        "NOREPLICAS", "ERR max number of clients"}) {
    if (error.starts_with(word + " ")) return true;
    // Older servers tell first in which script it was.
    if (error.find(": -" + word + " ") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

struct Connection::Break : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void Connection::EndContext::operator()(redisContext* context) const { redisFree(context); }

std::vector<std::pair<std::string, std::string>> Answer::pairs() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t at = 0; at + 1 < list.size(); at += 2) {
    all.emplace_back(list[at].text, list[at + 1].text);
  }
  return all;
}

Connection::Connection(Address address, Patience patience)
    : address_(std::move(address)), patience_(std::move(patience)) {}

Connection::~Connection() = default;

std::string Connection::no_answer(const std::string& why) const {
  return "no answer from " + address_.shown() + " (" + why + ")";
}

Answer Connection::attempt(const std::vector<std::string>& words) {
  MAZURKA_CHECK(context_ != nullptr && !words.empty(), "a command is sent over a connection");
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  const std::unique_ptr<redisReply, EndReply> reply(static_cast<redisReply*>(redisCommandArgv(
      context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data())));
  if (reply == nullptr) {
    const std::string why = context_->errstr;
    context_.reset();
    throw Break(no_answer(why));
  }
  if (reply->type == REDIS_REPLY_ERROR) {
    const std::string why(reply->str, reply->len);
    if (is_passing(why)) throw Break(address_.shown() + " can not do it now (" + why + ")");
    throw ServerRefuses(address_, why);
  }
  return answer_of(*reply);
}

void Connection::connect() {
  context_.reset(redisConnectWithTimeout(address_.host.c_str(), address_.port, for_connecting));
  if (context_ == nullptr) throw Break(no_answer("no memory"));
  if (context_->err != 0) {
    const std::string why = context_->errstr;
    context_.reset();
    throw Break(no_answer(why));
  }
  redisSetTimeout(context_.get(), for_answers);
  redisEnableKeepAlive(context_.get());
  try {
    if (!address_.user.empty()) {
      (void)attempt({"AUTH", address_.user, address_.password});
    } else if (!address_.password.empty()) {
      (void)attempt({"AUTH", address_.password});
    }
    if (address_.database != 0) (void)attempt({"SELECT", std::to_string(address_.database)});
  } catch (...) {
    context_.reset();
    throw;
  }
}

void Connection::pause(unsigned attempts, const std::string& why) {
  if (!std::exchange(told_, true) && patience_.when_broken) patience_.when_broken(why);
  const auto whole = std::min(last_retry, first_retry * (1U << std::min(attempts, 10U)));
  const Clock::time_point end = Clock::now() + whole;
  do {
    if (!patience_.gives_up || patience_.gives_up()) {
      throw ConnectionLost(why);
    }
    std::this_thread::sleep_for(moment);
  } while (Clock::now() < end);
}

template <typename Deed>
Answer Connection::until_answered(const Deed& deed) {
  for (unsigned attempts = 0;; ++attempts) {
    try {
      if (context_ == nullptr) connect();
      Answer answer = deed();
      told_ = false;
      return answer;
    } catch (const Break& why) {
      pause(attempts, why.what());
    }
  }
}

Answer Connection::command(const std::vector<std::string>& words) {
  return until_answered([&] { return attempt(words); });
}

Answer Connection::script(const std::string& text, const std::vector<std::string>& keys,
                          const std::vector<std::string>& arguments) {
  MAZURKA_CHECK(!keys.empty(), "a script names the search that it is about");
  std::vector<std::string> words{"EVALSHA", "", std::to_string(keys.size())};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return until_answered([&] {
    std::string& name = names_of_scripts_[text];
    if (name.empty()) name = attempt({"SCRIPT", "LOAD", text}).text;
    words[1] = name;
    try {
      return attempt(words);
    } catch (const ServerRefuses& refusal) {  // one that has just been started knows none
      if (!refusal.why().starts_with("NOSCRIPT")) throw;
      name.clear();
      throw Break(refusal.what());
    }
  });
}

}  // namespace mazurka::cluster
