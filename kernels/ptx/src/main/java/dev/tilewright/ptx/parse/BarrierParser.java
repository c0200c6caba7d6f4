package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Barrier.ClusterAction;
import dev.tilewright.ptx.instruction.Barrier.CtaAction;
import dev.tilewright.ptx.instruction.Barrier.ProxyFenceSpace;
import dev.tilewright.ptx.instruction.Barrier.ShuffleMode;
import dev.tilewright.ptx.instruction.Barrier.VoteMode;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Synchronisation;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import java.util.Map;
import java.util.Optional;

/** {@link Barrier}. */
final class BarrierParser {
    private static final Map<String, CtaAction> CTA = Spellings.of(CtaAction.values(), CtaAction::ptx);
    private static final Map<String, ClusterAction> CLUSTER = Spellings.of(ClusterAction.values(), ClusterAction::ptx);
    private static final Map<String, ProxyFenceSpace> PROXY_SPACES =
            Spellings.of(ProxyFenceSpace.values(), ProxyFenceSpace::ptx);
    private static final Map<String, ShuffleMode> SHUFFLES = Spellings.of(ShuffleMode.values(), ShuffleMode::ptx);
    private static final Map<String, VoteMode> VOTES = Spellings.of(VoteMode.values(), VoteMode::ptx);

    private BarrierParser() {}

    /** barrier, and bar, which is barrier.cta.aligned under its old name. */
    static Instruction barrier(Line in) {
        boolean old = in.opcode().equals("bar");
        if (old && in.has("warp")) {
            in.require("sync");
            return new Barrier.WarpBarrier(in.word());
        }
        if (!old && in.has("cluster")) {
            ClusterAction action = in.one(CLUSTER, "an action");
            Sem sem = in.maybe(Spellings.SEMS).orElse(Sem.WEAK);
            boolean aligned = in.has("aligned");
            in.requireNoModifier();
            return new Barrier.ClusterBarrier(action, sem, aligned);
        }
        in.has("cta");
        if (in.has("red")) {
            return ExchangeParser.barrier(in, in.has("aligned") || old);
        }
        CtaAction action = in.one(CTA, "an action");
        boolean aligned = in.has("aligned") || old;
        return new Barrier.CtaBarrier(action, aligned, in.word(), in.maybeWord());
    }

    static Instruction fence(Line in) {
        if (in.has("mbarrier_init")) {
            in.require("release", "cluster");
            in.requireNoModifier();
            return new Mbarrier.FenceInit();
        }
        if (in.has("proxy")) {
            if (in.sees("tensormap::generic")) {
                return TensorMapParser.fence(in);
            }
            if (in.has("async::generic")) {
                return restricted(in, true);
            }
            if (in.has("alias")) {
                in.requireNoModifier();
                return new WarpExchange.AliasFence();
            }
            if (!in.has("async")) {
                throw in.unsupported(
                        "proxy fences other than .async, .alias and .tensormap::generic are not supported");
            }
            ProxyFenceSpace space = in.maybe(PROXY_SPACES).orElse(ProxyFenceSpace.ALL);
            in.requireNoModifier();
            return new Barrier.ProxyFence(space);
        }
        if (in.sees("sync_restrict::shared::cluster") || in.sees("sync_restrict::shared::cta")) {
            return restricted(in, false);
        }
        Sem sem = in.maybe(Spellings.SEMS).orElse(Sem.ACQ_REL);
        Scope scope = in.maybe(Spellings.SCOPES).orElse(Scope.NONE);
        in.requireNoModifier();
        return new Barrier.ThreadFence(sem, scope);
    }

    private static Instruction restricted(Line in, boolean async) {
        boolean acquire = in.has("acquire");
        if (!acquire) {
            in.require("release");
        }
        in.require("sync_restrict::shared::" + (acquire ? "cluster" : "cta"), "cluster");
        in.requireNoModifier();
        return new Synchronisation.RestrictedFence(acquire ? Sem.ACQUIRE : Sem.RELEASE, async);
    }

    /** membar is the sequentially consistent fence under its old name. */
    static Instruction membar(Line in) {
        if (in.sees("proxy")) {
            return fence(in);
        }
        Scope scope = in.has("gl") ? Scope.GPU : in.one(Spellings.SCOPES, "a level");
        in.requireNoModifier();
        return new Barrier.ThreadFence(Sem.SC, scope);
    }

    static Instruction elect(Line in) {
        in.require("sync");
        in.operand();
        Optional<Reg<B32>> lane = Optional.empty();
        if (in.cursor().peek().is(Kind.WORD, "_")) {
            in.cursor().next();
        } else {
            lane = Optional.of(in.bareRegister());
        }
        in.cursor().expect("|");
        return new Barrier.Elect(lane, in.bareRegister(), in.word());
    }

    static Instruction shuffle(Line in) {
        in.require("sync", "b32");
        ShuffleMode mode = in.one(SHUFFLES, "a mode");
        Reg<RegisterType> d = in.register();
        Optional<Reg<Pred>> valid = in.acceptMark("|") ? Optional.of(in.bareRegister()) : Optional.empty();
        return new Barrier.Shuffle(mode, d, valid, in.value(ScalarType.B32), in.word(), in.word(), in.word());
    }

    static Instruction vote(Line in) {
        in.require("sync");
        if (in.has("ballot")) {
            in.require("b32");
            Reg<B32> lanes = in.register();
            in.operand();
            boolean negated = in.acceptMark("!");
            Reg<Pred> p = in.bareRegister();
            return new Barrier.Ballot(lanes, p, negated, in.word());
        }
        VoteMode mode = in.one(VOTES, "a mode");
        in.require("pred");
        Reg<Pred> d = in.predicate();
        in.operand();
        boolean negated = in.acceptMark("!");
        Reg<Pred> p = in.bareRegister();
        return new Barrier.Vote(mode, d, p, negated, in.word());
    }
}
