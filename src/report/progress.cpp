#include "report/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "report/advice.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t bar_width = 20;
constexpr std::size_t plain_width = 1000;  // where nothing is redrawn

std::string rate_text(double rate) {
  return rate >= 10'000 ? fmt::format("{:.0f}k/s", rate / 1000) : fmt::format("{:.0f}/s", rate);
}

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 2 * 86'400) return fmt::format("{:.0f} h", seconds / 3600);
  if (seconds < 2 * 31'557'600.0) return fmt::format("{:.0f} days", seconds / 86'400);
  return roughly(seconds / 31'557'600) + " years";
}

std::string bar(double part, const Style& style) {
  const auto full =
      static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(bar_width) + 0.5);
  std::string text = "[";
  for (std::size_t i = 0; i < bar_width; ++i) {
    text += i < full ? (style.unicode ? "█" : "#") : (style.unicode ? "░" : ".");
  }
  return text + "]";
}

}  // namespace

std::string progress_text(const Snapshot& now, double rate, std::size_t width) {
  std::string text = now.stage.empty() ? "" : now.stage + ": ";
  text += fmt::format("{} executions ({})", grouped(now.executions), rate_text(rate));
  const auto add = [&](const std::string& part) {
    const bool fits = display_width(text) + 2 + display_width(part) <= width;
    if (fits) text += ", " + part;
    return fits;
  };
  if (now.explored > 0) {
    const std::string done = fmt::format("about {:.{}f}% done", std::min(now.explored, 1.0) * 100,
                                         now.explored < 0.01 ? 2 : 0);
    if (add(done) && now.explored < 1 && now.seconds > 1) {
      add(time_text(now.seconds * (1 - now.explored) / now.explored) + " left");
    }
  } else if (now.at_least > static_cast<double>(now.executions)) {
    add("of more than " + roughly(now.at_least));
  }
  add(fmt::format("depth {}", now.depth));
  if (now.asleep > 0) add(grouped(now.asleep) + " asleep");
  return text;
}

std::string nodes_text(std::uint64_t nodes, std::uint64_t states, double rate) {
  std::string text = fmt::format("{} nodes ({})", grouped(nodes), rate_text(rate));
  if (states != nodes) text += fmt::format(", {} states", grouped(states));
  return text;
}

std::string progress_json(const Snapshot& now, double rate) {
  std::string latest;
  for (const Snapshot::Execution& one : now.latest) {
    latest += fmt::format(R"({}[{},{},"{}"])", latest.empty() ? "" : ",", one.shared, one.events,
                          one.ending);
  }
  return fmt::format(
      R"({{"executions":{},"asleep":{},"events":{},"depth":{},"explored":{:.6f},"at_least":{:.0f},)"
      R"("seconds":{:.3f},"rate":{:.0f},"stage":"{}","latest":[{}]}})",
      now.executions, now.asleep, now.events, now.depth, now.explored, now.at_least, now.seconds,
      rate, now.stage, latest);
}

ProgressLine::ProgressLine(When when, std::FILE* stream)
    : stream_(stream),
      enabled_(when != When::never),
      redraw_(when != When::json && isatty(fileno(stream)) != 0),
      json_(when == When::json),
      seconds_between_lines_(when == When::always ? 1 : 10),
      style_(detect_style(When::automatic, stream)) {}

void ProgressLine::measure_rate(const Snapshot& now) {
  const double passed = now.seconds - before_.seconds;
  if (passed <= 0.1) return;
  const double latest =
      static_cast<double>(now.executions - std::min(before_.executions, now.executions)) / passed;
  rate_ = rate_ == 0 ? latest : 0.7 * rate_ + 0.3 * latest;
  before_ = now;
}

void ProgressLine::print(const std::string& line) {
  std::fputs((line + "\n").c_str(), stream_);
  std::fflush(stream_);
}

void ProgressLine::show(const std::string& line, const std::string& redrawn, double seconds) {
  if (redraw_) {
    std::fprintf(stream_, "\r\033[K%s", cut_end(redrawn, style_.width - 1, style_).c_str());
    std::fflush(stream_);
    drawn_ = true;
  } else if (seconds - last_line_ >= seconds_between_lines_) {
    print(fmt::format("{} s: {}", std::lround(seconds), line));
    last_line_ = seconds;
  }
}

void ProgressLine::update(const Snapshot& now) {
  if (!enabled_) return;
  measure_rate(now);
  if (json_) {
    print(progress_json(now, rate_));
    return;
  }
  constexpr std::size_t narrow = 60;  // no room for a picture
  std::string redrawn;
  if (now.explored > 0 && style_.width >= narrow) redrawn = bar(now.explored, style_) + " ";
  const std::size_t used = display_width(redrawn) + 1;
  redrawn += progress_text(now, rate_, style_.width > used ? style_.width - used : 0);
  show(progress_text(now, rate_, plain_width), redrawn, now.seconds);
}

void ProgressLine::update_nodes(std::uint64_t nodes, std::uint64_t states, double seconds) {
  if (!enabled_) return;
  Snapshot now;
  now.executions = nodes;
  now.seconds = seconds;
  measure_rate(now);
  if (json_) {
    print(fmt::format(R"({{"nodes":{},"states":{},"seconds":{:.3f},"rate":{:.0f}}})", nodes, states,
                      seconds, rate_));
    return;
  }
  const std::string line = nodes_text(nodes, states, rate_);
  show(line, line, seconds);
}

void ProgressLine::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace mazurka::report
