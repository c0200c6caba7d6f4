package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;

import dev.tilewright.ptx.instruction.Synchronisation;

/** {@link Synchronisation} as text. */
final class SynchronisationText {
    private SynchronisationText() {}

    static String of(Synchronisation instruction) {
        return switch (instruction) {
            case Synchronisation.ReduceAsync i ->
                line(
                        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
                                + i.operation().ptx() + "." + i.type().ptx(),
                        i.address(),
                        i.b(),
                        i.barrier());
            case Synchronisation.RestrictedFence i ->
                "fence" + (i.async() ? ".proxy.async::generic" : "") + i.sem().ptx() + ".sync_restrict:"
                        + i.space().ptx().replace('.', ':') + i.scope().ptx();
        };
    }
}
