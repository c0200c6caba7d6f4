package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.async.BulkGroups;
import dev.tilewright.emulator.async.ThreadCopies;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.WarpOrder;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.schedule.Schedulable;
import dev.tilewright.emulator.tcgen05.Issuer;
import dev.tilewright.emulator.tcgen05.TensorUnit;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.emulator.warp.Warp;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lanes of one warp that run together, at one instruction of the program. */
public final class Strand implements Issuer, Schedulable {
    private final Surroundings surroundings;
    private final Warp warp;
    final int mask;
    final @Nullable Join join;
    int pc;
    /** Lane whose access is under way, for evidence. */
    private int lane;

    private boolean asleep;
    /** How often it has fallen asleep. */
    private int sleeps;

    private @Nullable Supplier<String> reason;
    /** Index of the instruction at which it fell asleep. Behind a barrier it continues at the next one. */
    private int sleptAt;

    /** Phase for which it began to wait at an mbarrier, or -1. */
    private int waitedPhase = -1;

    private @Nullable Access access;
    private int accessPc;
    private boolean released;
    private int parted;
    /** The unwritten bytes that the load under way has found, and its lanes. */
    private @Nullable Unwritten unwritten;

    private int unwrittenLanes;
    /** The last question that was answered no, while the strand has done nothing since that other threads see. */
    private @Nullable Object refused;

    private int refusedAt;
    private boolean spinning;
    private boolean behind;

    /** All lanes of a warp, at the first instruction. */
    static Strand first(Surroundings surroundings) {
        return new Strand(surroundings, surroundings.warp().alive(), 0, null);
    }

    private Strand(Surroundings surroundings, int mask, int pc, @Nullable Join join) {
        this.surroundings = surroundings;
        warp = surroundings.warp();
        this.mask = mask;
        this.pc = pc;
        this.join = join;
        lane = Integer.numberOfTrailingZeros(mask);
    }

    /** Lanes of the same warp, at another instruction. */
    Strand apart(int lanes, int at, @Nullable Join meeting) {
        return new Strand(surroundings, lanes, at, meeting);
    }

    @Override
    public Warp warp() {
        return warp;
    }

    @Override
    public TensorUnit tensorUnit() {
        return cta().tensorUnit();
    }

    public Cta cta() {
        return surroundings.cta();
    }

    /** The bulk stores of its threads. */
    public BulkGroups bulkGroups() {
        return cta().bulkGroups(warp);
    }

    /** The cp.asyncs of its threads. */
    public ThreadCopies threadCopies() {
        return cta().threadCopies(warp);
    }

    public Cluster cluster() {
        return surroundings.cluster();
    }

    public Device device() {
        return surroundings.device();
    }

    /** The memory that all CTAs reach. */
    public LaunchMemory memory() {
        return surroundings.device().memory();
    }

    public Program program() {
        return surroundings.program();
    }

    public Instr instr() {
        return surroundings.program().code()[pc];
    }

    @Override
    public int warpIndex() {
        return warp.index();
    }

    @Override
    public int rank() {
        return warp.cta().rank();
    }

    /** Notes the lane that accesses something next. */
    public void at(int accessing) {
        lane = accessing;
    }

    @Override
    public int lane() {
        return lane;
    }

    @Override
    public WarpOrder order() {
        return warp.order();
    }

    @Override
    public Access access() {
        Access known = access;
        if (known == null || accessPc != pc || known.epoch() != warp.order().epoch()) {
            known = warp.order().access(instr().manner, origin().evidence());
            access = known;
            accessPc = pc;
        }
        return known;
    }

    @Override
    public boolean takesUnwritten(Supplier<String> location) {
        if (!instr().loads) {
            return false;
        }
        Origin reader = origin();
        if (unwritten == null) {
            unwritten = new Unwritten(() -> "the load of " + reader, location);
        }
        unwrittenLanes |= 1 << lane;
        return true;
    }

    /** The lane at which the strand is has got its value of a register, which means nothing if nobody wrote it. */
    public void got(DestinationOperand register) {
        Unwritten found = unwritten;
        if (found != null) {
            register.undefine(warp, 1 << lane, found);
            unwritten = null;
            unwrittenLanes = 0;
        }
    }

    /** The lanes have got all: those of which nobody has said which register has no value have none at all. */
    void gotAll() {
        Unwritten found = unwritten;
        if (found != null) {
            warp.undefine(instr().writes, unwrittenLanes, found);
            unwritten = null;
            unwrittenLanes = 0;
        }
    }

    /** Names the lanes that are to execute this instruction apart from the others. */
    public void part(int lanes) {
        parted = lanes;
    }

    int parted() {
        return parted;
    }

    /** The site of the current instruction; of a sleeping strand, the instruction that waits. */
    public Site site() {
        return asleep ? new Origin(warp, sleptAt, lane).site() : origin().site();
    }

    /** Index of the last polling instruction of the warp if it polls, else of the current instruction. */
    int looksAt() {
        int looked = warp.polling().lookedAt();
        return polls() && looked >= 0 ? looked : pc;
    }

    Site lookSite() {
        return new Origin(warp, looksAt(), lane).site();
    }

    /** The instruction at which the strand is, to remember. */
    @Override
    public Origin origin() {
        return new Origin(warp, pc, lane);
    }

    /** Goes to sleep; whoever holds {@link #waker} must wake it. */
    @Override
    public void sleep(Supplier<String> waitingFor) {
        asleep = true;
        sleeps++;
        reason = waitingFor;
        sleptAt = pc;
    }

    /**
     * A callback that ends the next sleep. A wait that was given up leaves one behind, and it must not end the sleep of
     * another wait.
     */
    @Override
    public Runnable waker() {
        int next = sleeps + 1;
        return () -> {
            if (sleeps == next) {
                wake();
            }
        };
    }

    private void wake() {
        if (asleep) {
            asleep = false;
            surroundings.scheduler().ready(this);
        }
    }

    @Override
    public boolean asleep() {
        return asleep;
    }

    /** Index of the instruction at which it sleeps. */
    int sleptAt() {
        return sleptAt;
    }

    @Override
    public boolean isBehind() {
        return behind;
    }

    @Override
    public boolean polls() {
        return warp.polling().inVain(device().tally().changes());
    }

    Strand leftBehind() {
        behind = true;
        return this;
    }

    String reason() {
        Supplier<String> known = reason;
        return known == null ? "nothing" : known.get();
    }

    /** Phase of an mbarrier for which the strand has been waiting, or -1. */
    public int waitedPhase() {
        return waitedPhase;
    }

    public void waitedPhase(int phase) {
        waitedPhase = phase;
    }

    /** The strand changed state that other threads see, or read state that they change. */
    void acted() {
        refused = null;
    }

    /** The strand continues although the answer was no, as a try_wait may. */
    public void refused(Object question) {
        refused = question;
        refusedAt = pc;
    }

    /** The strand is about to sleep until the answer to this question changes. */
    public void asks(Object question) {
        spinning = refusedAt == pc && question.equals(refused);
    }

    /** Whether it sleeps at a question that it has asked before, with nothing done in between. */
    boolean isSpinning() {
        return spinning;
    }

    /** Whether the machine has told a waiting strand to give up for now, as a suspended try_wait may; told once. */
    public boolean takeRelease() {
        boolean was = released;
        released = false;
        return was;
    }

    void release() {
        released = true;
        wake();
    }
}
