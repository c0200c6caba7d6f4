package dev.tilewright.api.web.trial;

import dev.tilewright.api.kernel.KernelPart;
import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.api.web.Download;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The files of a kernel for a browser, whose cookie the REST resources do not take. */
@Controller
record KernelDownloads(KernelService kernels) {

    @GetMapping("/trials/{id}/kernel.ptx")
    ResponseEntity<byte[]> ptxFile(@PathVariable UUID id) {
        return file(id, KernelPart.PTX, ".ptx", MediaType.parseMediaType("text/plain;charset=UTF-8"));
    }

    @GetMapping("/trials/{id}/kernel.cubin")
    ResponseEntity<byte[]> cubinFile(@PathVariable UUID id) {
        return file(id, KernelPart.CUBIN, ".cubin", MediaType.APPLICATION_OCTET_STREAM);
    }

    @GetMapping("/trials/{id}/launch.json")
    ResponseEntity<byte[]> launchFile(@PathVariable UUID id) {
        return file(id, KernelPart.LAUNCH, ".launch.json", MediaType.APPLICATION_JSON);
    }

    private ResponseEntity<byte[]> file(UUID id, KernelPart file, String ending, MediaType type) {
        return Download.of("trial-" + id + ending, type, kernels.find(id, file));
    }
}
