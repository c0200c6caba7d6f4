package dev.tilewright.space.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.space.share.StreamShares.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamSharesTest {

    private static List<Piece> pieces(StreamShares shares) {
        List<Piece> pieces = new ArrayList<>();
        for (int cluster = 0; cluster < shares.clusters(); cluster++) {
            for (int index = 0; index < shares.pieces(cluster); index++) {
                pieces.add(shares.piece(cluster, index));
            }
        }
        return pieces;
    }

    @Test
    void thePictureOfItsDescription() {
        assertThat(pieces(new StreamShares(3, 10, 4)))
                .containsExactly(
                        new Piece(0, 0, 0, 8),
                        new Piece(1, 0, 8, 2),
                        new Piece(2, 1, 0, 6),
                        new Piece(3, 1, 6, 4),
                        new Piece(4, 2, 0, 3),
                        new Piece(5, 2, 3, 7));
    }

    /**
     * Each block once, in order; numbers rise and those of a tile are neighbours; no two shares differ by more than 1.
     */
    @ParameterizedTest
    @CsvSource({
        "3, 10, 4",
        "1, 7, 4",
        "5, 3, 4",
        "12, 9, 4",
        "7, 11, 5",
        "66, 32, 132",
        "512, 64, 132",
        "131, 64, 132",
        "13, 1, 20",
        "9, 2, 8",
        "1, 1, 1"
    })
    void piecesCoverTheSharedTiles(int tiles, int blocks, int clusters) {
        StreamShares shares = new StreamShares(tiles, blocks, clusters);
        List<Piece> pieces = pieces(shares);
        int line = 0;
        int number = -1;
        for (Piece piece : pieces) {
            assertThat(piece.tile() * blocks + piece.firstBlock()).isEqualTo(line);
            assertThat(piece.blocks()).isPositive();
            assertThat(piece.firstBlock() + piece.blocks()).isLessThanOrEqualTo(blocks);
            assertThat(piece.number()).isGreaterThan(number);
            line += piece.blocks();
            number = piece.number();
        }
        assertThat(line).isEqualTo(shares.sharedTiles() * blocks);
        assertThat(number).isLessThan(Math.max(1, shares.firstWhole()));
        for (int tile = 0; tile < shares.sharedTiles(); tile++) {
            int own = tile;
            List<Piece> ofTile =
                    pieces.stream().filter(piece -> piece.tile() == own).toList();
            assertThat(ofTile).hasSize(shares.piecesOfTile(tile));
            assertThat(ofTile.getLast().number() - ofTile.getFirst().number()).isEqualTo(ofTile.size() - 1);
        }
        assertThat(IntStream.range(0, shares.firstWhole()).filter(shares::isHandedOut))
                .containsExactlyElementsOf(pieces.stream().map(Piece::number).toList());
        assertThat(pieces)
                .allSatisfy(piece -> assertThat(shares.piece(piece.number())).isEqualTo(piece));
        assertThatThrownBy(() -> shares.piece(shares.firstWhole()))
                .hasMessage("no piece has the number " + shares.firstWhole());
        assertThat(shares.numbers() - shares.firstWhole()).isEqualTo(tiles / clusters * clusters);
        assertThat(shares.isHandedOut(shares.numbers())).isFalse();
        int[] sizes = IntStream.range(0, clusters)
                .map(cluster -> shares.start(cluster + 1) - shares.start(cluster))
                .toArray();
        assertThat(IntStream.of(sizes).max().orElseThrow()
                        - IntStream.of(sizes).min().orElseThrow())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void anyNumbers() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 200; round++) {
            piecesCoverTheSharedTiles(random.nextInt(1, 300), random.nextInt(1, 40), random.nextInt(1, 140));
        }
    }

    @Test
    void refusesWhatItCannotCount() {
        assertThatThrownBy(() -> new StreamShares(131, 1 << 25, 132))
                .hasMessage("131 tiles of 33554432 blocks that 132 clusters share are 4395630592 blocks, more than"
                        + " 2147483647: their numbers are 32-bit");
        assertThatThrownBy(() -> new StreamShares(3, 0, 4))
                .hasMessage("tiles, blocks and clusters must be positive, got 3, 0 and 4");
    }
}
