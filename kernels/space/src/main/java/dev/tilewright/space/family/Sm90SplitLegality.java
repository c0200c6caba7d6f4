package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.TypedRule.typed;

import java.util.Optional;
import java.util.stream.Stream;

/** The rules of {@link Sm90Legality} about tiles that are cut along K. */
final class Sm90SplitLegality {

    private Sm90SplitLegality() {}

    static Stream<TypedRule<Sm90Values>> rules() {
        return Stream.of(
                typed("splitPieces", Sm90SplitLegality::pieces, SplitRules.SPLIT_K),
                typed("splitTable", Sm90SplitLegality::splitTable, TileLocation.PARAMETER, SplitRules.SPLIT_K));
    }

    private static Optional<String> pieces(Sm90Values values) {
        int pieces = values.splitK();
        return when(pieces < 1, () -> "splitK must be at least 1, got " + pieces)
                .or(() -> when(
                        pieces > Sm90Config.MOST_PIECES,
                        () -> "splitK must be at most " + Sm90Config.MOST_PIECES + ", got " + pieces));
    }

    private static Optional<String> splitTable(Sm90Values values) {
        return when(
                values.splitK() > 1 && values.location() == TileLocation.TABLE,
                () -> "splitK must be 1 where tiles stand in a table, which gives each of them whole, got "
                        + values.splitK());
    }
}
