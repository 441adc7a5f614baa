// A game of minesweeper in which every cell is an actor. A cell that is clicked asks its neighbours
// for mines and answers nobody until all have replied: a call that blocks, as programmers are used
// to. Two neighbours that are clicked at once wait for each other: deadlock. With -DFIXED a cell
// that waits still answers. Paper (TransDPOR, Table 2): minesweeper, deadlock; its source is not
// published.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef ROWS
#define ROWS 2
#endif
#ifndef COLUMNS
#define COLUMNS 3
#endif

struct Cell {
  bool mine = false;
  std::vector<mazurka::Ref<Cell>> neighbours;
  bool open = false;
  int awaited = 0;
  int mines = 0;

  void click(mazurka::Context& context) {
    if (open) return;
    open = true;
    if (mine) return;
    awaited = static_cast<int>(neighbours.size());
    for (const auto& neighbour : neighbours) {
      context.send<&Cell::ask>(neighbour, context.self<Cell>());
    }
  }
  void ask(mazurka::Context& context, mazurka::Ref<Cell> who) {
    context.send<&Cell::reply>(who, mine);
  }
  void reply(mazurka::Context& context, bool is_mine) {
    mines += is_mine ? 1 : 0;
    if (--awaited > 0 || mines > 0) return;
    for (const auto& neighbour : neighbours) context.send<&Cell::click>(neighbour);
  }
#ifndef FIXED
  bool accepts(mazurka::on<&Cell::ask>, const mazurka::Ref<Cell>&) const { return awaited == 0; }
#endif
};

void set_up(mazurka::Setup& system) {
  std::vector<mazurka::Ref<Cell>> cells;
  for (int at = 0; at < ROWS * COLUMNS; ++at) cells.push_back(system.spawn<Cell>(at == 0));
  for (int at = 0; at < ROWS * COLUMNS; ++at) {
    const int row = at / COLUMNS;
    const int column = at % COLUMNS;
    auto& neighbours = system.state(cells[static_cast<std::size_t>(at)]).neighbours;
    if (row > 0) neighbours.push_back(cells[static_cast<std::size_t>(at - COLUMNS)]);
    if (row + 1 < ROWS) neighbours.push_back(cells[static_cast<std::size_t>(at + COLUMNS)]);
    if (column > 0) neighbours.push_back(cells[static_cast<std::size_t>(at - 1)]);
    if (column + 1 < COLUMNS) neighbours.push_back(cells[static_cast<std::size_t>(at + 1)]);
  }
  // Two players, each with a click of their own.
  system.send<&Cell::click>(cells[1]);
  system.send<&Cell::click>(cells[2]);
}

int main() { return mazurka::run(set_up); }
