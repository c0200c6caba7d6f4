package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;
import static dev.tilewright.space.family.TypedRule.typed;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Of {@link Sm90Legality} the rules about tiles that are cut along K: into equal pieces, or where shares end. */
final class Sm90StreamLegality {

    private Sm90StreamLegality() {}

    static Stream<TypedRule<Sm90Values>> rules() {
        return Stream.of(
                typed("splitPieces", Sm90StreamLegality::pieces, SplitRules.SPLIT_K),
                typed("splitTable", Sm90StreamLegality::splitTable, TileLocation.PARAMETER, SplitRules.SPLIT_K),
                typed("streamScheduler", Sm90StreamLegality::scheduler, FamilySpace.SCHEDULER, StreamK.PARAMETER),
                typed("streamSplit", Sm90StreamLegality::split, SplitRules.SPLIT_K, StreamK.PARAMETER),
                typed("streamOrder", Sm90StreamLegality::order, ClusterOrder.PARAMETER, StreamK.PARAMETER),
                typed("streamTable", Sm90StreamLegality::table, TileLocation.PARAMETER, StreamK.PARAMETER));
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

    private static Optional<String> scheduler(Sm90Values values) {
        return shared(
                values,
                values.scheduler() == Scheduler.STATIC,
                () -> "deals shares out beforehand: it takes scheduler = static, got " + values.scheduler());
    }

    private static Optional<String> split(Sm90Values values) {
        return shared(
                values,
                values.splitK() == 1,
                () -> "cuts tiles where shares end: it takes splitK = 1, got " + values.splitK());
    }

    private static Optional<String> order(Sm90Values values) {
        return shared(
                values,
                values.clusterOrder() == ClusterOrder.LAUNCH,
                () -> "deals shares out to clusters as launched: it takes " + ClusterOrder.PARAMETER + " = "
                        + ClusterOrder.LAUNCH + ", got " + values.clusterOrder());
    }

    private static Optional<String> table(Sm90Values values) {
        return shared(
                values,
                values.location() == TileLocation.RASTER,
                () -> "deals out shares of one output: it takes " + TileLocation.PARAMETER + " = " + TileLocation.RASTER
                        + ", got " + values.location());
    }

    private static Optional<String> shared(Sm90Values values, boolean kept, Supplier<String> rule) {
        return when(
                values.streamK() != StreamK.NONE && !kept,
                () -> StreamK.PARAMETER + " = " + values.streamK() + " " + rule.get());
    }
}
