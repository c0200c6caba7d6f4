package dev.tilewright.worker.gpu.assembler;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.assembler.AssemblerReply;
import dev.tilewright.worker.link.assembler.AssemblerRequest;
import java.io.IOException;
import java.util.Optional;

/** The main loop of an assembler child. */
public record AssemblerChild(PtxLibrary library) {

    /** Serves requests until the host closes the stream. */
    public void serve(CborChannel<AssemblerReply, AssemblerRequest> host) throws IOException {
        AssemblerReply first = library.open();
        host.send(first);
        if (first instanceof AssemblerReply.Unusable) {
            return;
        }
        for (Optional<AssemblerRequest> request = host.receive(); request.isPresent(); request = host.receive()) {
            host.send(library.assemble(request.get().ptx(), request.get().target()));
        }
    }
}
