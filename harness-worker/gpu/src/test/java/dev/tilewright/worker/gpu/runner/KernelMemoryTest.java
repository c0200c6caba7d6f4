package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.KernelArgument.Bytes;
import dev.tilewright.worker.gpu.verify.GuardedBuffer;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Buffers of a launch of two groups, with all kinds that a user's kernel may have beside its operands. */
class KernelMemoryTest {

    private static final Fill RANDOM = new Fill.Normal(OptionalLong.empty(), 0, 1);

    private final FakeGpu gpu = new FakeGpu();
    private final List<OperandSet> sets = List.of(set(), set());

    private OperandSet set() {
        return new OperandSet(gpu.allocate(512), gpu.allocate(512), GuardedBuffer.allocate(gpu, 512));
    }

    private static BufferDescription buffer(String name, ElementType type, Fill fill, long... shape) {
        List<Long> extents = java.util.Arrays.stream(shape).boxed().toList();
        return new BufferDescription(name, type, extents, extents.getLast(), fill, 0);
    }

    private static Expectation.Gemm gemm(String group, Epilogue epilogue, int m, int n, int k) {
        return new Expectation.Gemm(
                new Expectation.Operand("A" + group, false),
                new Expectation.Operand("B" + group, false),
                new Expectation.Operand("D" + group, false),
                epilogue.addsC() ? Optional.of(new Expectation.Operand("C" + group, false)) : Optional.empty(),
                epilogue.bias().map(_ -> "V" + group),
                epilogue,
                1,
                m,
                n,
                k,
                new Tolerance.Exact());
    }

    private static LaunchDescription launch(BufferDescription... further) {
        return launch(Epilogue.NONE, further);
    }

    private static LaunchDescription launch(Epilogue epilogue, BufferDescription... further) {
        List<BufferDescription> buffers = new ArrayList<>(List.of(
                buffer("A0", ElementType.BF16, RANDOM, 4, 8),
                buffer("B0", ElementType.BF16, RANDOM, 6, 8),
                buffer("D0", ElementType.F32, new Fill.Uninitialised(), 4, 6),
                buffer("A1", ElementType.BF16, RANDOM, 2, 16),
                buffer("B1", ElementType.BF16, RANDOM, 4, 16),
                buffer("D1", ElementType.F32, new Fill.Uninitialised(), 2, 4)));
        buffers.addAll(List.of(further));
        return new LaunchDescription(
                Optional.of("theirs"),
                new Extents(2, 3, 4),
                new Extents(8, 4, 2),
                Optional.empty(),
                0,
                false,
                buffers,
                List.of(),
                List.of(
                        gemm("0", epilogue, 4, 6, 8),
                        gemm("1", epilogue, 2, 4, 16),
                        new Expectation.Unchanged("V0"),
                        new Expectation.Unchanged("V1"),
                        new Expectation.Unchanged("C0"),
                        new Expectation.Unchanged("C1"),
                        new Expectation.Unchanged("lock")));
    }

    private KernelMemory memory(LaunchDescription launch) {
        return new KernelMemory(gpu, gpu::allocate, launch, sets, Optional.empty());
    }

    private static long address(KernelMemory memory, String buffer, long offset, OperandSet set) {
        return bytes(memory, new KernelParameter.Pointer(buffer, offset), set).getLong();
    }

    private static ByteBuffer bytes(KernelMemory memory, KernelParameter parameter, OperandSet set) {
        Bytes bytes = (Bytes) memory.parameter(parameter, set);
        return ByteBuffer.wrap(bytes.content()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void operandsOfGroupsLieOneBehindTheOther() {
        try (KernelMemory memory = memory(launch())) {
            for (OperandSet set : sets) {
                assertThat(address(memory, "A0", 0, set)).isEqualTo(set.a().address());
                assertThat(address(memory, "A1", 4, set)).isEqualTo(set.a().address() + 4 * 8 * 2 + 4);
                assertThat(address(memory, "B1", 0, set)).isEqualTo(set.b().address() + 6 * 8 * 2);
                assertThat(address(memory, "D1", 0, set)).isEqualTo(set.d().address() + 4 * 6 * 4);
            }
        }
    }

    /** The reference has the C of each set and one bias, of all groups each. */
    @Test
    void soDoesWhatIsAdded() {
        LaunchDescription launch = launch(
                Epilogue.parse("beta=2,bias"),
                buffer("C0", ElementType.F16, RANDOM, 4, 6),
                buffer("C1", ElementType.F16, RANDOM, 2, 4),
                buffer("V0", ElementType.F32, RANDOM, 6),
                buffer("V1", ElementType.F32, RANDOM, 4));
        List<Reference.Content> c = List.of(content("C0", 64), content("C0", 64));
        Reference.Content bias = content("V0", 40);
        Reference reference = new Reference(gpu.allocate(128), gpu.allocate(128), 1, _ -> 1, c, Optional.of(bias));
        try (KernelMemory memory = new KernelMemory(gpu, gpu::allocate, launch, sets, Optional.of(reference))) {
            for (int set = 0; set < sets.size(); set++) {
                long ofC = c.get(set).buffer().address();
                assertThat(address(memory, "C0", 2, sets.get(set))).isEqualTo(ofC + 2);
                assertThat(address(memory, "C1", 0, sets.get(set))).isEqualTo(ofC + 4 * 6 * 2);
                assertThat(address(memory, "V0", 0, sets.get(set)))
                        .isEqualTo(bias.buffer().address());
                assertThat(address(memory, "V1", 8, sets.get(set)))
                        .isEqualTo(bias.buffer().address() + 6 * 4 + 8);
            }
            assertThat(KernelMemory.writes(launch)).isFalse();
        }
    }

    private Reference.Content content(String name, long bytes) {
        return new Reference.Content(name, gpu.allocate(bytes), bytes, 0);
    }

    @Test
    void onlyWhatAKernelDoesNotLeaveZeroIsZeroedEachTime() {
        LaunchDescription launch = launch(
                buffer("counter", ElementType.U8, new Fill.Zeros(), 3),
                buffer("lock", ElementType.U32, new Fill.Zeros(), 5),
                buffer("workspace", ElementType.F32, new Fill.Uninitialised(), 7));
        try (KernelMemory memory = memory(launch)) {
            assertThat(memory.renewals()).isEqualTo(1);
            gpu.at(address(memory, "counter", 0, sets.getFirst())).putInt(7);
            gpu.at(address(memory, "lock", 0, sets.getFirst())).putInt(7);
            memory.renew(0);
            assertThat(gpu.at(address(memory, "counter", 0, sets.getFirst())).getInt())
                    .isZero();
            assertThat(gpu.at(address(memory, "lock", 0, sets.getFirst())).getInt())
                    .isEqualTo(7);
            assertThat(gpu.at(address(memory, "lock", 16, sets.getFirst())).getInt())
                    .isZero();
            assertThat(gpu.at(address(memory, "workspace", 0, sets.getFirst())).getInt())
                    .isNotZero();
        }
        assertThat(KernelMemory.writes(launch)).isFalse();
    }

    @Test
    void whatTheHostKnowsIsWrittenOnceAndWithAddressesForEachSet() {
        LaunchDescription launch = launch(
                buffer("bias", ElementType.F32, new Fill.Iota(1, 0.5), 6),
                buffer(
                        "table",
                        ElementType.U8,
                        new Fill.Fields(List.of(
                                new KernelParameter.Field(8, new KernelParameter.Pointer("D1", 4)),
                                new KernelParameter.Field(0, new KernelParameter.Scalar(ElementType.U16, 0xBEEF)))),
                        16));
        try (KernelMemory memory = memory(launch)) {
            assertThat(gpu.at(address(memory, "bias", 8, sets.getFirst())).getFloat())
                    .isEqualTo(2f);
            assertThat(address(memory, "bias", 0, sets.getLast()))
                    .isEqualTo(address(memory, "bias", 0, sets.getFirst()));
            for (OperandSet set : sets) {
                ByteBuffer table = gpu.at(address(memory, "table", 0, set));
                assertThat(table.getInt(0)).isEqualTo(0xBEEF);
                assertThat(table.getLong(8)).isEqualTo(set.d().address() + 4 * 6 * 4 + 4);
            }
        }
        assertThat(KernelMemory.writes(launch)).isTrue();
    }

    @Test
    void aStructHoldsNumbersAndAddresses() {
        KernelParameter struct = new KernelParameter.Struct(
                24,
                List.of(
                        new KernelParameter.Field(4, new KernelParameter.Scalar(ElementType.S32, -2)),
                        new KernelParameter.Field(8, new KernelParameter.Pointer("A1", 0)),
                        new KernelParameter.Field(16, new KernelParameter.NullPointer())));
        try (KernelMemory memory = memory(launch())) {
            ByteBuffer bytes = bytes(memory, struct, sets.getLast());
            assertThat(bytes.remaining()).isEqualTo(24);
            assertThat(bytes.getInt(4)).isEqualTo(-2);
            assertThat(bytes.getLong(8)).isEqualTo(address(memory, "A1", 0, sets.getLast()));
            assertThat(bytes.getLong(16)).isZero();
            assertThatThrownBy(() -> address(memory, "elsewhere", 0, sets.getFirst()))
                    .hasMessage("the launch uses a buffer that it does not have: elsewhere");
        }
    }
}
