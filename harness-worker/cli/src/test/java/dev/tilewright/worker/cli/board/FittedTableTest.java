package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Boards in the columns of a terminal. */
class FittedTableTest {

    private static TextTable table() {
        TextTable table = new TextTable(List.of("#", "config", "outcome", "us", "tiles"), "rllrl");
        table.add(List.of("1", "static 128x128x64 s6 alongM coop2", "completed", "8.27", "0:4 1:128"));
        table.add(List.of("2", "atomic 64x256x64 s5 groupedM16 coop2", "completed", "10.59", "0:4 1:12 2:9"));
        return table;
    }

    @Test
    void aTableThatFitsIsLeftAsItIs() {
        assertThat(table().lines(74)).isEqualTo(table().lines());
        assertThat(table().lines(Integer.MAX_VALUE)).isEqualTo(table().lines());
    }

    @Test
    void equalColumnsStandAboveAndTheRestFollowsInBlocks() {
        assertThat(table().lines(50)).containsExactly("""
                all: outcome completed
                 #  config                                   us
                 1  static 128x128x64 s6 alongM coop2      8.27
                 2  atomic 64x256x64 s5 groupedM16 coop2  10.59
                 #  tiles
                 1  0:4 1:128
                 2  0:4 1:12 2:9""".split("\n"));
    }

    @Test
    void aCellThatDoesNotFitGoesOnInTheNextLine() {
        assertThat(table().lines(30)).startsWith("""
                all: outcome completed
                 #  config
                 1  static 128x128x64 s6
                    alongM coop2
                 2  atomic 64x256x64 s5
                    groupedM16 coop2
                 #     us  tiles""".split("\n"));
    }

    @Test
    void aLineGoesOnBelowButACommandStaysWhole() {
        assertThat(WrappedLine.of("  one two three four", 13))
                .containsExactly("  one two", "      three", "      four");
        String command = "again: tilewright tune --shape 512x512x512";
        assertThat(WrappedLine.of(command, 20)).containsExactly(command);
        assertThat(WrappedLine.pieces("abcdefgh", 3)).containsExactly("abc", "def", "gh");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "again: tilewright tune --shape 512x512x512",
                "  tilewright tune --shape 512x512x512",
                "written: a folder/kernel.yaml",
                "written: kernel.yaml; next: tilewright bundle check .",
                "  > 22 |     @%first cp.async.bulk.commit_group;",
                "       |     ^"
            })
    void aLineToCopyStaysWhole(String line) {
        assertThat(WrappedLine.of(line, 10)).containsExactly(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tileM=128,tileN=256,stages=4; 16; tileM=128, tileN=256, stages=4",
                "1024x512x256+64x512x256; 16; 1024x512x256+ 64x512x256",
                "took 1,234,567 runs; 9; took 1,234,567 runs",
                "abc123456789; 8; abc123456789",
                "see /home/user/a-folder/file.json; 12; see /home/user/a-folder/file.json",
                "(sha256 0123456789abcdef0123); 12; (sha256 0123456789abcdef0123)"
            })
    void aLongWordIsBrokenBehindASignButNoNumberAndNoPath(String text, int most, String pieces) {
        assertThat(String.join(" ", WrappedLine.pieces(text, most))).isEqualTo(pieces);
    }

    @Test
    void aColumnWithoutAnyValueIsLeftOut() {
        TextTable table = new TextTable(List.of("#", "config", "us"), "rlr");
        table.add(List.of("1", "static 128x128x64 s6 alongM coop2", "-"));
        assertThat(table.lines(40)).containsExactly(" #  config", " 1  static 128x128x64 s6 alongM coop2");
    }
}
