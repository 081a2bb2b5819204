package raid;

class Board {
    final int size;
    final int[] values;
    final char[] squares;

    Board(int size, String[] words, int from) {
        this.size = size;
        values = new int[size * size];
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < size * size; i++) {
            values[i] = Integer.parseInt(words[from + i]);
        }
        for (int row = 0; row < size; row++) {
            rows.append(words[from + size * size + row]);
        }
        squares = rows.toString().toCharArray();
    }

    private Board(Board from) {
        size = from.size;
        values = from.values;
        squares = from.squares.clone();
    }

    private int beside(int square, int way) {
        int row = square / size + (way == 0 ? -1 : way == 1 ? 1 : 0);
        int column = square % size + (way == 2 ? -1 : way == 3 ? 1 : 0);
        return row < 0 || column < 0 || row >= size || column >= size ? -1 : row * size + column;
    }

    boolean canRaid(int square, char who) {
        for (int way = 0; way < 4; way++) {
            int other = beside(square, way);
            if (other >= 0 && squares[other] == who) {
                return true;
            }
        }
        return false;
    }

    Board after(int square, char who, boolean raid) {
        Board next = new Board(this);
        next.squares[square] = who;
        for (int way = 0; way < 4 && raid; way++) {
            int other = beside(square, way);
            if (other >= 0 && squares[other] != '.') {
                next.squares[other] = who;
            }
        }
        return next;
    }

    int score(char who) {
        int score = 0;
        for (int i = 0; i < squares.length; i++) {
            score += squares[i] == '.' ? 0 : squares[i] == who ? values[i] : -values[i];
        }
        return score;
    }
}
