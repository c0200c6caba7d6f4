package dev.tilewright.proof.export;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The buffers of A, B and D in a description: those of each group are buffers of their own, of a batch with the batch
 * as first dimension. A launch of ours has all groups of an operand behind each other.
 */
public record GroupBuffers(Problem problem, OperandLayout layout) {

    /** The buffers of a problem. */
    public GroupBuffers(Problem problem) {
        this(problem, OperandLayout.of(problem));
    }

    /** As scales are: of neither sign, none like its neighbour. */
    private static final Fill SCALES = new Fill.LogUniform(OptionalLong.empty(), 0x1p-6, 4);

    /** Bytes of one of the buffers, from an offset on. */
    record BufferOffset(String buffer, long offset) {}

    /** All of them, with what they hold before the launch. */
    public List<BufferDescription> buffers() {
        List<BufferDescription> buffers = new ArrayList<>();
        Fill random = new Fill.Normal(OptionalLong.empty(), 0, 1);
        for (int group = 0; group < problem.groups().size(); group++) {
            ProblemShape shape = problem.groups().get(group);
            boolean rowsOfA = problem.major().a() == Major.K;
            boolean rowsOfB = problem.major().b() == Major.K;
            buffers.add(buffer(BufferRole.A, group, shape.m(), shape.k(), rowsOfA, random));
            buffers.add(buffer(BufferRole.B, group, shape.n(), shape.k(), rowsOfB, random));
            buffers.add(buffer(BufferRole.D, group, shape.m(), shape.n(), true, new Fill.Uninitialised()));
            for (OperandRole role : OperandRole.values()) {
                scales(role, group).ifPresent(buffers::add);
            }
            Epilogue epilogue = problem.epilogue();
            if (epilogue.bias().isPresent()) {
                long elements = shape.along(epilogue.bias().get());
                buffers.add(buffer(BufferRole.BIAS, group, List.of(elements), random));
            }
            if (epilogue.addsC()) {
                buffers.add(buffer(BufferRole.C, group, shape.m(), shape.n(), true, random));
            }
        }
        return buffers;
    }

    /** The scales of A or of B of all groups; none where they are no buffer. */
    public List<BufferDescription> scales(OperandRole role) {
        return IntStream.range(0, problem.groups().size())
                .mapToObj(group -> scales(role, group))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<BufferDescription> scales(OperandRole role, int group) {
        ProblemShape shape = problem.groups().get(group);
        long extent = problem.scales().extent(role, shape);
        return switch (problem.scales()) {
            case TENSOR -> Optional.empty();
            case ROW -> Optional.of(buffer(BufferRole.scales(role), group, List.of(extent), SCALES));
            case BLOCK -> {
                List<Long> extents = List.of((long) problem.scales().lines(role, shape), extent);
                BufferDescription packed = buffer(BufferRole.scales(role), group, extents, SCALES);
                yield Optional.of(new BufferDescription(
                        packed.name(),
                        packed.type(),
                        packed.shape(),
                        problem.scales().pitch(role, shape),
                        packed.fill(),
                        packed.guard()));
            }
        };
    }

    private BufferDescription buffer(BufferRole role, int group, long rows, long columns, boolean plain, Fill fill) {
        return buffer(role, group, plain ? List.of(rows, columns) : List.of(columns, rows), fill);
    }

    private BufferDescription buffer(BufferRole role, int group, List<Long> extents, Fill fill) {
        List<Long> shape = new ArrayList<>();
        if (problem.batch() > 1) {
            shape.add((long) problem.batch());
        }
        shape.addAll(extents);
        return new BufferDescription(
                name(role, group),
                ElementType.named(type(role).toString()),
                shape,
                shape.getLast(),
                fill,
                BufferDescription.USUAL_GUARD);
    }

    /** The GEMM of each group, and what a launch leaves as it was. */
    public List<Expectation> expected() {
        List<Expectation> expected = new ArrayList<>();
        boolean biased = problem.epilogue().bias().isPresent();
        boolean addsC = problem.epilogue().addsC();
        for (int group = 0; group < problem.groups().size(); group++) {
            ProblemShape shape = problem.groups().get(group);
            expected.add(new Expectation.Gemm(
                    new Expectation.Operand(
                            name(BufferRole.A, group), problem.major().a() != Major.K),
                    new Expectation.Operand(
                            name(BufferRole.B, group), problem.major().b() != Major.K),
                    new Expectation.Operand(name(BufferRole.D, group), false),
                    addsC ? Optional.of(new Expectation.Operand(name(BufferRole.C, group), false)) : Optional.empty(),
                    biased ? Optional.of(name(BufferRole.BIAS, group)) : Optional.empty(),
                    problem.epilogue(),
                    problem.batch(),
                    shape.m(),
                    shape.n(),
                    shape.k(),
                    Tolerance.Bound.of(ElementType.named(problem.types().d().toString())),
                    scales(group)));
            expected.add(new Expectation.Unchanged(name(BufferRole.A, group)));
            expected.add(new Expectation.Unchanged(name(BufferRole.B, group)));
            scales(group).ifPresent(scales -> {
                expected.add(new Expectation.Unchanged(scales.a()));
                expected.add(new Expectation.Unchanged(scales.b()));
            });
            if (biased) {
                expected.add(new Expectation.Unchanged(name(BufferRole.BIAS, group)));
            }
            if (addsC) {
                expected.add(new Expectation.Unchanged(name(BufferRole.C, group)));
            }
        }
        return expected;
    }

    private Optional<Expectation.ScaleBuffers> scales(int group) {
        return problem.scales().areBuffers()
                ? Optional.of(new Expectation.ScaleBuffers(
                        problem.scales(), name(BufferRole.SCALE_A, group), name(BufferRole.SCALE_B, group)))
                : Optional.empty();
    }

    /** Maps a byte of an operand of all groups to its buffer and offset; bytes of other buffers stay where they are. */
    BufferOffset at(BufferRole role, long offset) {
        return switch (role) {
            case A, B, C, D, BIAS, SCALE_A, SCALE_B -> {
                int group = problem.groups().size() - 1;
                while (before(role, group) > offset) {
                    group--;
                }
                yield new BufferOffset(name(role, group), offset - before(role, group));
            }
            case COUNTER, WORKSPACE, ARRIVALS, TRACE, TILES, MAPS, OUTPUTS -> new BufferOffset(role.toString(), offset);
        };
    }

    /** Bytes of an operand before those of a group. */
    private long before(BufferRole role, int group) {
        OperandLayout.Gemm first = layout.gemms().get(group * problem.batch());
        return first.first(role) * type(role).bytes();
    }

    private DataType type(BufferRole role) {
        return switch (role) {
            case A -> problem.types().a();
            case B -> problem.types().b();
            case SCALE_A, SCALE_B -> DataType.F32;
            case C, D, BIAS, COUNTER, WORKSPACE, ARRIVALS, TRACE, TILES, MAPS, OUTPUTS ->
                problem.types().d();
        };
    }

    private String name(BufferRole role, int group) {
        return problem.groups().size() == 1 ? role.toString() : role.toString() + group;
    }
}
