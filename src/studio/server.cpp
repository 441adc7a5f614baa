#include "studio/server.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "core/check.hpp"
#include "report/html/page_parts.hpp"
#include "studio/folder.hpp"
#include "studio/gate.hpp"
#include "studio/menu.hpp"
#include "studio/runs.hpp"

namespace mazurka::studio {

namespace {

using Json = nlohmann::json;
using httplib::Request;
using httplib::Response;

constexpr std::size_t largest_request = 2 << 20;  // bytes

std::string whole(report::Pieces pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

/// The shell has a place for the style and one for the script.
std::string page() {
  std::string text = whole(report::studio_shell);
  for (const auto& [place, part] : {std::pair("@STYLE@", whole(report::studio_style)),
                                    std::pair("@SCRIPT@", whole(report::studio_script))}) {
    const std::size_t at = text.find(place);
    MAZURKA_CHECK(at != std::string::npos, "the shell has a place for each part");
    text.replace(at, std::string_view(place).size(), part);
  }
  return text;
}

void answer(Response& response, const Json& json, int status = 200) {
  response.status = status;
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
}

void refuse(Response& response, int status, const std::string& why) {
  answer(response, {{"error", why}}, status);
}

class Server {
 public:
  explicit Server(const Settings& settings)
      : folder_(settings.folder), runs_(settings.mazurka, settings.most_runs) {
    const std::string loopback = "127.0.0.1";
    const bool chosen = settings.port != 0;
    const int port = chosen ? settings.port : server_.bind_to_any_port(loopback);
    if (port <= 0 || (chosen && !server_.bind_to_port(loopback, port))) {
      throw std::runtime_error(fmt::format("port {} can not be used", settings.port));
    }
    gate_ = std::make_unique<Gate>(port);
    set_up();
  }

  [[nodiscard]] std::string address() const { return gate_->address(); }
  void listen() { server_.listen_after_bind(); }
  void end() { server_.stop(); }

 private:
  void set_up() {
    server_.set_payload_max_length(largest_request);
    server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cache-Control", "no-store"},
                                 {"X-Frame-Options", "SAMEORIGIN"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      const std::string why = gate_->refusal(
          {request.method, request.path, request.get_header_value("Host"),
           request.get_header_value("Origin"), request.get_header_value("Sec-Fetch-Site"),
           request.get_header_value("Content-Type")});
      if (why.empty()) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, 403, why);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler(
        [](const Request&, Response& response, const std::exception_ptr&) {
          refuse(response, 500, "the request could not be carried out");
        });
    const std::string at = "/" + gate_->token() + "/";
    server_.Get(at, [](const Request&, Response& response) {
      response.set_content(page(), "text/html; charset=utf-8");
    });
    server_.Get(at + "menu",
                [this](const Request&, Response& response) { answer(response, menu(folder_)); });
    server_.Post(at + "program", [this](const Request& request, Response& response) {
      const Json asked = Json::parse(request.body, nullptr, false);
      const bool named = asked.is_object() && asked.contains("name") && asked["name"].is_string();
      const auto text = named ? text_of(folder_, asked["name"].get<std::string>()) : std::nullopt;
      if (!text) return refuse(response, 404, "there is no such program");
      answer(response, {{"text", *text}});
    });
    server_.Post(at + "run",
                 [this](const Request& request, Response& response) { begin(request, response); });
    server_.Post(at + R"(run/(\d{1,6})/stop)", [this](const Request& request, Response& response) {
      answer(response, {{"stopped", runs_.stop(number_in(request))}});
    });
    server_.Get(at + R"(run/(\d{1,6}))",
                [this](const Request& request, Response& response) { look(request, response); });
    offer(at + R"(run/(\d{1,6})/report.html)", "report.html", "text/html; charset=utf-8");
    offer(at + R"(run/(\d{1,6})/outcome.json)", "outcome.json", "application/json");
    server_.Get(at + R"(run/(\d{1,6})/(\d{1,4}).schedule)", [this](const Request& request,
                                                                   Response& response) {
      const auto text = runs_.schedule(number_in(request), std::stoul(request.matches[2]));
      if (!text) return refuse(response, 404, "there is no such schedule");
      response.set_content(*text, "application/octet-stream");
    });
  }

  void offer(const std::string& path, const std::string& file, const char* type) {
    server_.Get(path, [this, file, type](const Request& request, Response& response) {
      const auto text = runs_.left(number_in(request), file);
      if (!text) return refuse(response, 404, "the run has left no such file");
      response.set_content(*text, type);
    });
  }

  static std::size_t number_in(const Request& request) { return std::stoul(request.matches[1]); }

  void begin(const Request& request, Response& response) {
    const Json asked = Json::parse(request.body, nullptr, false);
    Wanted wanted;
    try {
      wanted.file = std::filesystem::path(asked.at("name").get<std::string>()).filename().string();
      wanted.text = asked.at("text").get<std::string>();
      wanted.options = asked.at("options").get<std::vector<std::string>>();
    } catch (const Json::exception&) {
      return refuse(response, 400, "expected name, text and options");
    }
    if (!is_program(wanted.file) || wanted.file.find_first_of(".-") == 0) {
      return refuse(response, 400, "the name must be that of a .c, .cc, .cpp, .cxx or .tck file");
    }
    if (const std::string why = refusal(wanted.options); !why.empty()) {
      return refuse(response, 400, why);
    }
    try {
      const auto run = runs_.begin(wanted);
      if (!run) return refuse(response, 429, "as many checks are running as may; stop one first");
      answer(response, {{"run", *run}});
    } catch (const std::exception& error) {
      refuse(response, 500, error.what());
    }
  }

  void look(const Request& request, Response& response) {
    std::size_t from = 0;
    if (request.has_param("from"))
      from = std::strtoul(request.get_param_value("from").c_str(), nullptr, 10);
    const auto seen = runs_.look(number_in(request), from);
    if (!seen) return refuse(response, 404, "there is no such run");
    Json lines = Json::array();
    for (const std::string& line : seen->lines) {
      Json parsed = Json::parse(line, nullptr, false);
      if (!parsed.is_discarded()) lines.push_back(std::move(parsed));
    }
    answer(response, {{"running", seen->running},
                      {"stopped", seen->stopped},
                      {"exit_code", seen->exit_code},
                      {"count", seen->count},
                      {"progress", lines},
                      {"said", seen->said}});
  }

  Folder folder_;
  Runs runs_;
  httplib::Server server_;
  std::unique_ptr<Gate> gate_;
};

}  // namespace

int serve(const Settings& settings) {
  // Taken by one thread, which waits for them: the others inherit that they are blocked.
  sigset_t ends;
  sigemptyset(&ends);
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, one);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  Server server(settings);
  std::printf("Mazurka studio: %s\nInterrupt it (Ctrl-C) to end it, and all checks with it.\n",
              server.address().c_str());
  std::fflush(stdout);
  std::thread listening([&] { server.listen(); });
  int received = 0;
  sigwait(&ends, &received);
  server.end();
  listening.join();
  return 0;
}

}  // namespace mazurka::studio
