// One line to the server, which is made again whenever it breaks.
//
// The server may be killed and started again at any time. A command that got no answer is sent once
// more, so all that we send may be performed twice (scripts.hpp). Between two attempts there is a
// pause, which grows. Whoever waits says when to give up. So it is when the server answers that it
// can not do it now: its memory or its disk is full, it is loading, it has lost its cluster.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/address.hpp"
#include "host/files.hpp"

struct redisContext;

namespace mazurka::cluster {

/// The server can not be reached, and we have given up.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The server does not do what it was asked to, and would not do it the next time.
class ServerRefuses : public host::InputError {
 public:
  ServerRefuses(const Address& address, std::string why)
      : InputError(address.shown() + " refuses: " + why), why_(std::move(why)) {}
  /// In the server's words.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  std::string why_;
};

/// What the server answers: a text, a number, a list, or nothing.
struct Answer {
  enum class Kind : unsigned char { nothing, text, number, list };
  Kind kind = Kind::nothing;
  std::string text;
  long long number = 0;
  std::vector<Answer> list;

  [[nodiscard]] bool is_nothing() const { return kind == Kind::nothing; }
  /// As pairs: field, value, field, value ...
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> pairs() const;
};

class Connection {
 public:
  /// `gives_up`: asked between two attempts; `when_broken`: told once each time that it breaks
  /// what is wrong with which server.
  struct Patience {
    std::function<bool()> gives_up;
    std::function<void(const std::string&)> when_broken;
  };

  Connection(Address address, Patience patience);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Throws ConnectionLost and ServerRefuses.
  Answer command(const std::vector<std::string>& words);
  /// A script of ours, by its text.
  Answer script(const std::string& text, const std::vector<std::string>& keys,
                const std::vector<std::string>& arguments);

  [[nodiscard]] const Address& address() const { return address_; }

 private:
  struct Break;
  struct EndContext {
    void operator()(redisContext* context) const;
  };
  [[nodiscard]] Answer attempt(const std::vector<std::string>& words);
  template <typename Deed>
  [[nodiscard]] Answer until_answered(const Deed& deed);
  [[nodiscard]] std::string no_answer(const std::string& why) const;
  void connect();
  void pause(unsigned attempts, const std::string& why);

  Address address_;
  Patience patience_;
  std::unique_ptr<redisContext, EndContext> context_;
  std::map<std::string, std::string> names_of_scripts_;  // by their texts
  bool told_ = false;
};

}  // namespace mazurka::cluster
