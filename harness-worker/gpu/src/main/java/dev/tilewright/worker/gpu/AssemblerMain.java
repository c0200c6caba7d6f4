package dev.tilewright.worker.gpu;

import dev.tilewright.worker.gpu.assembler.AssemblerChild;
import dev.tilewright.worker.gpu.assembler.PtxLibrary;
import dev.tilewright.worker.gpu.cuda.CudaJit;
import dev.tilewright.worker.gpu.cuda.NvPtxCompiler;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.assembler.AssemblerLibrary;
import dev.tilewright.worker.link.assembler.AssemblerRequest;
import dev.tilewright.worker.link.process.Child;

/** A child that assembles PTX from messages on standard input with one library. */
public final class AssemblerMain {

    private AssemblerMain() {}

    public static void main(String[] arguments) {
        Child.run(arguments, library -> () -> {
            new AssemblerChild(library(AssemblerLibrary.named(library)))
                    .serve(CborChannel.ofStandardStreams(AssemblerRequest.class));
            return 0;
        });
    }

    /** A child sees one GPU at most, which is then its first. */
    private static PtxLibrary library(AssemblerLibrary library) {
        return switch (library) {
            case DRIVER_JIT -> new CudaJit(0);
            case NVPTXCOMPILER -> new NvPtxCompiler();
        };
    }
}
