package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.ClusterLaunchControl.Dimension;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.FirstCta;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.FirstCtaVector;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.CopyShape;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One kernel with every form of tcgen05 and of cluster launch control. It is assembled, never run. */
final class BlackwellCorpus {
    private BlackwellCorpus() {}

    /** @param group what all its instructions say */
    static PtxModule of(CtaGroup group) {
        return PtxModule.build(
                Target.SM_100A,
                m -> m.entry("blackwell", e -> {
                    Param map = e.tensorMap("map");
                    e.launchBounds(256, 1);
                    e.cluster(2, 1, 1);
                    SharedRegion bars = e.barriers("full", 1);
                    SharedRegion data = e.shared("data", 4096, 1024);
                    e.code(b -> {
                        Reg<B32> at = b.sharedBase();
                        SharedAddress shared = data.at(at, 0);
                        SharedAddress barrier = bars.barrier(at, 0);
                        b.mbarrierInit(barrier, 1);
                        tensor(b, group, shared, ClusterAddress.of(at).plus(bars.offset()), b.tensorMap(map));
                        clusterLaunch(b, shared, barrier);
                        b.ret();
                    });
                }));
    }

    private static List<Reg<B32>> words(CodeBuilder b, int count) {
        return Stream.generate(b::b32).limit(count).toList();
    }

    private static void tensor(
            CodeBuilder b, CtaGroup group, SharedAddress shared, ClusterAddress barrier, GenericAddress map) {
        b.tensorAllocate(group, shared, 256);
        b.tensorRelinquish(group);
        Reg<B32> address = b.ld32(shared);
        TensorAddress place = TensorAddress.of(address);
        Reg<B64> descriptor = b.mov(Immediate.b64(0x4000404000010000L));
        Reg<Pred> accumulate = b.ne(address, 0);
        for (Kind kind : List.of(Kind.F16, Kind.TF32, Kind.F8F6F4, Kind.I8)) {
            b.tensorMultiply(
                    group, kind, place.plus(64), descriptor, descriptor, Immediate.b32(0x08400490), accumulate);
        }
        b.with(new Tcgen05.Multiply(
                group, Kind.F16, place, new MatrixA.Tensor(place.plus(128)), descriptor, address, accumulate));
        b.with(new Tcgen05.Multiply(
                group,
                Kind.F16,
                place,
                new MatrixA.Descriptor(descriptor),
                descriptor,
                address,
                words(b, 4 * group.ctas()),
                accumulate));
        List<Reg<B32>> coordinates = List.of(address, address);
        b.tensorLoad(group, shared, map, coordinates, barrier, Optional.empty());
        b.tensorLoad(group, shared, map, coordinates, barrier, Optional.of(Immediate.b16(3)));
        b.tensorCommit(group, barrier);
        Reg<B16> mask = b.b16();
        b.mov(mask, 3);
        b.tensorCommit(group, barrier, mask);
        for (CopyShape shape : CopyShape.values()) {
            b.with(new Tcgen05.Copy(group, shape, place, descriptor));
        }
        for (Shape shape : Shape.values()) {
            List<Reg<B32>> some = words(b, 4 * shape.registers());
            b.with(new Tcgen05.Load(shape, some, place));
            b.tensorWaitRead();
            b.with(new Tcgen05.Store(shape, place.plus(16), some));
            int split = shape == Shape.L16_B32_TWICE ? 24 : 0;
            b.with(new Tcgen05.Load(shape, some, place, split, true));
            b.with(new Tcgen05.Store(shape, place, split, some, true));
        }
        b.with(new Tcgen05.WaitStore());
        b.tensorFenceBeforeSync();
        b.syncThreads();
        b.tensorFenceAfterSync();
        b.tensorDeallocate(group, address, 256);
    }

    private static void clusterLaunch(CodeBuilder b, SharedAddress shared, SharedAddress barrier) {
        b.mbarrierArriveExpectTx(barrier, 16);
        b.tryCancel(shared, barrier);
        b.tryCancelAlone(shared, barrier);
        Reg<B128> answer = b.loadAnswer(shared);
        Reg<Pred> more = b.pred();
        b.isCanceled(more, answer);
        Reg<B32> x = b.b32();
        b.firstCtaX(x, answer);
        b.with(new FirstCta(Dimension.Y, x, answer));
        b.with(new FirstCta(Dimension.Z, x, answer));
        b.with(new FirstCtaVector(x, b.b32(), b.b32(), answer));
        b.fenceAnswerRead();
        b.fenceAnswerReuse();
    }
}
