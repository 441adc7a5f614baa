// mazurka: what checks compiled programs, and becomes the whole program for all else (parts.hpp).
#include "cli/program.hpp"

int main(int argc, char** argv) { return mazurka::cli::run_program(argc, argv); }
