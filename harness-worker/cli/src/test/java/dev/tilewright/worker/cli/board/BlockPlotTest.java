package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockPlotTest {

    @Test
    void eachBlockIsAStarAtItsValueAndNothingIsALine() {
        assertThat(BlockPlot.lines(new double[] {0.4, 0.8, -0.4, 1.2}, Board.ANY_WIDTH))
                .containsExactly(
                        "  +1.20 % |   *",
                        "  +1.00 % |    ",
                        "  +0.80 % | *  ",
                        "  +0.60 % |    ",
                        "  +0.40 % |*   ",
                        "  +0.20 % |    ",
                        "  +0.00 % |----",
                        "  -0.20 % |    ",
                        "  -0.40 % |  * ");
    }

    @Test
    void moreBlocksThanColumnsShareThem() {
        double[] values =
                IntStream.range(0, 320).mapToDouble(i -> i < 160 ? 1 : 2).toArray();
        assertThat(BlockPlot.lines(values, Board.ANY_WIDTH))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(92));
        assertThat(BlockPlot.lines(values, Board.ANY_WIDTH).getFirst()).endsWith("|" + " ".repeat(40) + "*".repeat(40));
    }

    @Test
    void blocksThatAreAllEqualAreOneRow() {
        assertThat(BlockPlot.lines(new double[] {0, 0}, Board.ANY_WIDTH)).containsExactly("  +0.00 % |**");
    }
}
