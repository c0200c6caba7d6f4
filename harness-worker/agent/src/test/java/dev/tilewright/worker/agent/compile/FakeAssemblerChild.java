package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.gpu.assembler.AssemblerChild;
import dev.tilewright.worker.gpu.assembler.PtxLibrary;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.assembler.AssemblerReply;
import dev.tilewright.worker.link.assembler.AssemblerRequest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The main class of a child whose library behaves as its argument says. */
public final class FakeAssemblerChild {

    private FakeAssemblerChild() {}

    public static void main(String[] arguments) throws IOException {
        new AssemblerChild(new Library(arguments[0])).serve(CborChannel.ofStandardStreams(AssemblerRequest.class));
    }

    private record Library(String behaviour) implements PtxLibrary {

        @Override
        public AssemblerReply open() {
            return new AssemblerReply.Ready("1.0");
        }

        @Override
        public AssemblerReply assemble(String ptx, String target) {
            if (behaviour.equals("stall")) {
                forever();
            }
            if (ptx.equals("crash")) {
                System.err.println("a last word");
                Runtime.getRuntime().halt(77);
            }
            return new AssemblerReply.Assembled(new Cubin(new byte[] {1, 2, 3}), "Used 8 registers");
        }

        private static void forever() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
