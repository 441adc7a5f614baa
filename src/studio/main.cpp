// mazurka-studio FOLDER PORT CHECKS: what `mazurka studio` becomes. A program of its own, so that
// all other commands need not load what a server needs.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "studio/server.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("mazurka: error: this is a part of Mazurka; call: mazurka studio [FOLDER]\n",
               stderr);
    return 2;
  }
  try {
    mazurka::studio::Settings settings;
    settings.folder = argv[1];
    settings.mazurka = std::filesystem::canonical("/proc/self/exe").parent_path() / "mazurka";
    settings.port = std::atoi(argv[2]);
    settings.most_runs = std::strtoul(argv[3], nullptr, 10);
    return mazurka::studio::serve(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mazurka: error: %s\n", error.what());
    return 2;
  }
}
