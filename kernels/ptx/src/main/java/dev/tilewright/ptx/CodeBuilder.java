package dev.tilewright.ptx;

import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.Control.Branch;
import dev.tilewright.ptx.instruction.Control.Exit;
import dev.tilewright.ptx.instruction.Control.Return;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Limits;
import dev.tilewright.ptx.instruction.Move.AddressOf;
import dev.tilewright.ptx.instruction.Statement.Comment;
import dev.tilewright.ptx.instruction.Statement.Guarded;
import dev.tilewright.ptx.instruction.Statement.LabelTarget;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Appends code to one block of a kernel. Blocks nest by lambdas; while an inner block is open the outer builder refuses
 * every call. Names of registers are unique in a block and those around it; blocks side by side may use the same name.
 */
public final class CodeBuilder
        implements IntegerCode,
                BitCode,
                FloatCode,
                CompareCode,
                MoveCode,
                MemoryCode,
                SyncCode,
                AsyncCode,
                TensorCode,
                ClusterLaunchCode {
    /** The labels at which a {@link #loop} continues and ends, for branches out of nested blocks. */
    public record Loop(Label next, Label end) {}

    private static final Limits LIMITS = new Limits();

    private record Guard(Reg<Pred> predicate, boolean negated) {}

    private final Body body;
    private final @Nullable CodeBuilder outer;
    private final String name;
    private final Optional<String> role;
    private final @Nullable Guard guard;
    private final Set<String> names = new HashSet<>();
    private @Nullable CodeBuilder inner;
    private @Nullable Reg<B32> warpIndex;
    private @Nullable Reg<B32> sharedBase;
    private boolean closed;

    CodeBuilder(Body body, String name) {
        this(body, null, name, Optional.empty(), null);
    }

    private CodeBuilder(
            Body body, @Nullable CodeBuilder outer, String name, Optional<String> role, @Nullable Guard guard) {
        this.body = body;
        this.outer = outer;
        this.name = name;
        this.role = role;
        this.guard = guard;
    }

    // ---- the two primitives -------------------------------------------------------------------------------------

    @Override
    public void with(Instruction instruction) {
        requireOpen();
        Operands.visit(instruction, LIMITS);
        body.code.add(guard == null ? instruction : new Guarded(guard.predicate, guard.negated, instruction));
    }

    @Override
    public <T extends RegisterType> Reg<T> fresh(ScalarType type) {
        requireOpen();
        return body.fresh(type);
    }

    // ---- named registers ----------------------------------------------------------------------------------------

    public Reg<Pred> pred(String register) {
        return named(ScalarType.PRED, register);
    }

    public Reg<B32> b32(String register) {
        return named(ScalarType.B32, register);
    }

    public Reg<B64> b64(String register) {
        return named(ScalarType.B64, register);
    }

    /** A named register that holds {@code value}. */
    public Reg<B32> b32(String register, long value) {
        Reg<B32> d = b32(register);
        mov(d, value);
        return d;
    }

    /** A fixed array of registers, e.g. the accumulators of a thread. */
    public List<Reg<F32>> f32Array(String register, int count) {
        declare(register);
        return body.array(ScalarType.F32, register, count);
    }

    public List<Reg<B32>> b32Array(String register, int count) {
        declare(register);
        return body.array(ScalarType.B32, register, count);
    }

    private <T extends RegisterType> Reg<T> named(ScalarType type, String register) {
        declare(register);
        return body.named(type, role.map(r -> r + "_" + register).orElse(register));
    }

    private void declare(String register) {
        requireOpen();
        for (CodeBuilder block = this; block != null; block = block.outer) {
            if (block.names.contains(register)) {
                throw new IllegalArgumentException(
                        "register '" + register + "' is already declared in block '" + block.name + "'");
            }
        }
        names.add(register);
    }

    // ---- labels and branches ------------------------------------------------------------------------------------

    /** A new label, not yet bound; the name follows from the hint. */
    public Label newLabel(String hint) {
        requireOpen();
        return body.label(hint);
    }

    /** Binds a label to this position. */
    public void bind(Label label) {
        requireOpen();
        requireNoGuard("bind a label");
        body.code.add(new LabelTarget(label));
    }

    public void bra(Label label) {
        with(new Branch(false, label));
    }

    public void braIf(Reg<Pred> p, Label label) {
        guarded(p, g -> g.bra(label));
    }

    public void braIfNot(Reg<Pred> p, Label label) {
        guardedNot(p, g -> g.bra(label));
    }

    public void ret() {
        with(new Return());
    }

    public void exit() {
        with(new Exit());
    }

    public void comment(String text) {
        requireOpen();
        body.code.add(new Comment(text));
    }

    // ---- blocks -------------------------------------------------------------------------------------------------

    /** Every instruction of the block carries {@code @p}; no branches around, no blocks inside. */
    public void guarded(Reg<Pred> p, Consumer<CodeBuilder> block) {
        requireNoGuard("open a guarded block");
        open("guarded", role, new Guard(p, false), block);
    }

    /** Every instruction of the block carries {@code @!p}. */
    public void guardedNot(Reg<Pred> p, Consumer<CodeBuilder> block) {
        requireNoGuard("open a guarded block");
        open("guarded", role, new Guard(p, true), block);
    }

    /** Threads with p true execute the block. */
    public void ifThen(Reg<Pred> p, Consumer<CodeBuilder> block) {
        Label end = newLabel("endif");
        braIfNot(p, end);
        open("then", role, null, block);
        bind(end);
    }

    /** Threads with p false execute the block. */
    public void ifNot(Reg<Pred> p, Consumer<CodeBuilder> block) {
        Label end = newLabel("endif");
        braIf(p, end);
        open("then", role, null, block);
        bind(end);
    }

    public void ifThenElse(Reg<Pred> p, Consumer<CodeBuilder> thenBlock, Consumer<CodeBuilder> elseBlock) {
        Label otherwise = newLabel("else");
        Label end = newLabel("endif");
        braIfNot(p, otherwise);
        open("then", role, null, thenBlock);
        bra(end);
        bind(otherwise);
        open("else", role, null, elseBlock);
        bind(end);
    }

    /** Repeats for ever; leave by a branch to {@link Loop#end()}. */
    public void loop(String loopName, BiConsumer<CodeBuilder, Loop> block) {
        Loop loop = new Loop(newLabel(loopName), newLabel("end " + loopName));
        bind(loop.next());
        open("loop " + loopName, role, null, b -> block.accept(b, loop));
        bra(loop.next());
        bind(loop.end());
    }

    /** Repeats while the condition, computed at the top, is true. */
    public void whileLoop(
            String loopName, Function<CodeBuilder, Reg<Pred>> condition, BiConsumer<CodeBuilder, Loop> block) {
        loop(loopName, (b, loop) -> {
            b.braIfNot(condition.apply(b), loop.end());
            block.accept(b, loop);
        });
    }

    /** Repeats as long as the block returns true; at least once. */
    public void doWhile(String loopName, Function<CodeBuilder, Reg<Pred>> block) {
        Label top = newLabel(loopName);
        bind(top);
        open("loop " + loopName, role, null, b -> b.braIf(block.apply(b), top));
    }

    /** {@code for (i = from; i < to; i += step)}, unsigned; the test is at the bottom, a guard at the top. */
    public void forRange(
            String loopName, Operand<B32> from, Operand<B32> to, int step, BiConsumer<CodeBuilder, Reg<B32>> block) {
        if (step < 1) {
            throw new IllegalArgumentException("loop " + loopName + ": step must be positive, got " + step);
        }
        Reg<B32> i = b32();
        mov(i, from);
        Label end = newLabel("end " + loopName);
        braIf(ge(i, to), end);
        doWhile(loopName, b -> {
            block.accept(b, i);
            b.add(i, i, step);
            return b.lt(i, to);
        });
        bind(end);
    }

    public void forRange(String loopName, int from, Operand<B32> to, BiConsumer<CodeBuilder, Reg<B32>> block) {
        forRange(loopName, Immediate.b32(from), to, 1, block);
    }

    /** Spins until the phase of that parity has completed. */
    public void waitParity(SharedAddress barrier, Operand<B32> parity) {
        waitParity(Ordering.DEFAULT, barrier, parity);
    }

    /** As above with an ordering: {@code Ordering.acquire(Scope.CLUSTER)} after writes of other CTAs. */
    public void waitParity(Ordering ordering, SharedAddress barrier, Operand<B32> parity) {
        Label again = newLabel("wait");
        bind(again);
        Reg<Pred> done = pred();
        mbarrierTryWait(ordering, done, barrier, parity);
        braIfNot(done, again);
    }

    // ---- shared memory ------------------------------------------------------------------------------------------

    /** The start of the dynamic shared memory; read once per block that asks, for all blocks inside it. */
    public Reg<B32> sharedBase() {
        requireOpen();
        for (CodeBuilder block = this; block != null; block = block.outer) {
            if (block.sharedBase != null) {
                return block.sharedBase;
            }
        }
        Reg<B32> base = b32();
        with(new AddressOf(ScalarType.U32, base, ModuleBuilder.DYNAMIC_SHARED, StateSpace.SHARED, 0));
        sharedBase = base;
        return base;
    }

    // ---- warp roles ---------------------------------------------------------------------------------------------

    /** The index of the warp in the CTA, uniform in the warp; computed once per block that asks. */
    public Reg<B32> warpIndex() {
        requireOpen();
        for (CodeBuilder block = this; block != null; block = block.outer) {
            if (block.warpIndex != null) {
                return block.warpIndex;
            }
        }
        Reg<B32> index = shflIdx(shr(special(SpecialRegister.TID_X), 5), 0);
        warpIndex = index;
        return index;
    }

    /** Only the warps {@code firstWarp .. firstWarp+warps-1} execute the block; the others go on behind it. */
    public void role(String roleName, int firstWarp, int warps, Consumer<CodeBuilder> block) {
        requireOpen();
        requireNoGuard("open role " + roleName);
        Label end = newLabel("end " + roleName);
        Reg<B32> index = warpIndex();
        Reg<B32> relative = firstWarp == 0 ? index : sub(index, firstWarp);
        braIf(ge(relative, warps), end);
        int first = body.code.size();
        int position = body.roles.size();
        // Reserves the index of the outer role before its inner ones; the range is known only when it is closed.
        body.roles.add(new WarpRole(roleName, firstWarp, warps, first, first, role));
        open("role " + roleName, Optional.of(roleName), null, block);
        body.roles.set(position, new WarpRole(roleName, firstWarp, warps, first, body.code.size(), role));
        bind(end);
    }

    // ---- nesting ------------------------------------------------------------------------------------------------

    private void open(
            String block, Optional<String> blockRole, @Nullable Guard blockGuard, Consumer<CodeBuilder> content) {
        requireOpen();
        requireNoGuard("open block '" + block + "'");
        CodeBuilder builder = new CodeBuilder(body, this, block, blockRole, blockGuard);
        inner = builder;
        content.accept(builder);
        inner = null;
        builder.close();
    }

    void close() {
        closed = true;
    }

    private void requireOpen() {
        if (inner != null) {
            throw new IllegalStateException(
                    "block '" + name + "' cannot be used while its inner block '" + inner.name + "' is open");
        }
        if (closed) {
            throw new IllegalStateException("block '" + name + "' is closed");
        }
    }

    private void requireNoGuard(String action) {
        if (guard != null) {
            throw new IllegalStateException("block '" + name + "' cannot " + action);
        }
    }
}
