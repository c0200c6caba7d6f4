package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.CtaAction;
import dev.tilewright.ptx.instruction.Compare.BooleanOperation;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.util.Map;
import java.util.Optional;

/** {@link Barrier}. */
final class BarrierParser {
    private static final Map<String, CtaAction> CTA = Spellings.of(CtaAction.values(), CtaAction::ptx);

    private static final Map<String, BooleanOperation> VOTES =
            Map.of("and", BooleanOperation.AND, "or", BooleanOperation.OR);

    private BarrierParser() {}

    /** barrier, and bar, which is barrier.cta.aligned under its old name. */
    static Instruction barrier(Line in) {
        boolean old = in.opcode().equals("bar");
        if (in.sees(old ? "warp" : "cluster")) {
            return FormParser.nearest(in);
        }
        in.has("cta");
        boolean reduces = in.has("red");
        boolean aligned = in.has("aligned") || old;
        return reduces
                ? reduction(in, aligned)
                : FormParser.operands(in, Barrier.CtaBarrier.class, in.one(CTA, "an action"), aligned);
    }

    /** barrier.red; its name up to there and the alignment are taken. */
    private static Instruction reduction(Line in, boolean aligned) {
        boolean counts = in.has("popc");
        Optional<BooleanOperation> vote = in.maybe(VOTES);
        in.require(counts ? "u32" : "pred");
        if (counts) {
            return FormParser.operands(in, WarpExchange.BarrierCount.class, aligned);
        }
        BooleanOperation operation = vote.orElseThrow(() -> in.refuse("needs .popc, .and or .or"));
        return FormParser.operands(in, WarpExchange.BarrierVote.class, operation, aligned);
    }

    static Instruction fence(Line in) {
        if (in.sees("mbarrier_init") || in.sees("tensormap::generic")) {
            return FormParser.nearest(in);
        }
        boolean async = in.has("async::generic");
        if (async || in.sees("sync_restrict::shared::cluster") || in.sees("sync_restrict::shared::cta")) {
            in.has("proxy");
            boolean acquire = in.has("acquire");
            if (!acquire) {
                in.require("release");
            }
            in.require("sync_restrict::shared::" + (acquire ? "cluster" : "cta"), "cluster");
            in.requireNoModifier();
            return new Barrier.RestrictedFence(acquire ? Sem.ACQUIRE : Sem.RELEASE, async);
        }
        if (in.sees("proxy")) {
            throw in.unsupported("proxy fences other than .async, .alias and .tensormap::generic are not supported");
        }
        return FormParser.read(in, Barrier.ThreadFence.class);
    }

    /** membar is the sequentially consistent fence under its old name. */
    static Instruction membar(Line in) {
        if (in.sees("proxy")) {
            return FormParser.read(in, Forms.of("fence", in::sees).orElseThrow(() -> in.unsupported("not supported")));
        }
        Scope scope = in.has("gl") ? Scope.GPU : in.one(Spellings.SCOPES, "a level");
        in.requireNoModifier();
        return new Barrier.ThreadFence(Sem.SC, scope);
    }

    static Instruction redux(Line in) {
        if (in.sees("f32")) {
            throw in.unsupported("reductions of .f32 are not supported");
        }
        return FormParser.read(in, WarpExchange.Reduce.class);
    }
}
