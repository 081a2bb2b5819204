package raid;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Minimax in Java, in a package, in folders within folders. */
public class Homework {
    private static char other(char who) {
        return who == 'X' ? 'O' : 'X';
    }

    private static int search(Board board, char me, char toMove, int depth, int[] best) {
        int bestValue = 0;
        boolean found = false;
        for (int raid = 0; raid < 2 && depth > 0; raid++) {
            for (int square = 0; square < board.size * board.size; square++) {
                if (board.squares[square] != '.' || (raid == 1 && !board.canRaid(square, toMove))) {
                    continue;
                }
                int value = search(board.after(square, toMove, raid == 1), me, other(toMove), depth - 1, new int[2]);
                if (!found || (toMove == me ? value > bestValue : value < bestValue)) {
                    bestValue = value;
                    best[0] = square;
                    best[1] = raid;
                    found = true;
                }
            }
        }
        return found ? bestValue : board.score(me);
    }

    public static void main(String[] arguments) throws IOException {
        String[] words = new String(Files.readAllBytes(Paths.get("input.txt"))).trim().split("\\s+");
        int size = Integer.parseInt(words[0]);
        char me = words[2].charAt(0);
        int depth = words[1].equals("COMPETITION") ? 2 : Integer.parseInt(words[3]);
        Board board = new Board(size, words, 4);
        int[] best = new int[2];
        search(board, me, me, depth, best);
        Board after = board.after(best[0], me, best[1] == 1);
        try (PrintWriter out = new PrintWriter("output.txt")) {
            out.println((char) ('A' + best[0] % size) + "" + (best[0] / size + 1) + (best[1] == 1 ? " Raid" : " Stake"));
            for (int row = 0; row < size; row++) {
                out.println(new String(after.squares, row * size, size));
            }
        }
    }
}
