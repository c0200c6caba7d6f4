package dev.tilewright.api.kernel;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Compilation;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the files of kernels, and finds them again. */
@Service
public class KernelService {

    private final KernelRepository kernels;
    private final Clock clock;

    KernelService(KernelRepository kernels, Clock clock) {
        this.kernels = kernels;
        this.clock = clock;
    }

    /** Faults of reported files: too large, not packed, or with other hashes than reported. */
    public static List<Fault> faults(KernelFiles files, @Nullable Compilation compilation) {
        if (compilation == null) {
            return List.of(new Fault("/files", "a trial without a cubin has no files of a kernel"));
        }
        if (files.packedBytes() > KernelFiles.MOST_PACKED_BYTES) {
            return List.of(new Fault(
                    "/files",
                    "must have at most " + KernelFiles.MOST_PACKED_BYTES + " bytes, packed, got "
                            + files.packedBytes()));
        }
        List<Fault> faults = new ArrayList<>();
        content("/files/ptx", files.ptx(), compilation.ptxHash(), faults);
        content("/files/cubin", files.cubin(), compilation.cubinHash(), faults);
        byte[] launch = content("/files/launch", files.launch(), null, faults);
        if (launch != null && !isDocument(launch)) {
            faults.add(new Fault("/files/launch", "must be a JSON object"));
        }
        return faults;
    }

    private static byte @Nullable [] content(
            String pointer, KernelFiles.Packed packed, @Nullable String hash, List<Fault> faults) {
        try {
            byte[] content = packed.content();
            if (hash != null && !Sha256.hex(content).equals(hash)) {
                faults.add(new Fault(pointer, "must have the hash " + hash + ", got " + Sha256.hex(content)));
            }
            return content;
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault(pointer, String.valueOf(wrong.getMessage())));
            return null;
        }
    }

    private static boolean isDocument(byte[] launch) {
        try {
            return JsonMapper.shared().readTree(launch).isObject();
        } catch (JacksonException malformed) {
            return false;
        }
    }

    /**
     * Keeps files of trials, by their leases, which {@link #faults} found nothing wrong with. Nothing else is in the
     * transaction, and files are written in the order of their hashes: two transactions with the same files cannot wait
     * for each other in a ring.
     */
    @Transactional
    public void keep(Map<UUID, KernelFiles> byLease) {
        SortedMap<String, KernelRepository.Stored> files = new TreeMap<>();
        List<KernelRepository.Launched> launches = new ArrayList<>();
        byLease.forEach((lease, own) -> {
            add(own.ptx(), files);
            add(own.cubin(), files);
            launches.add(new KernelRepository.Launched(lease, add(own.launch(), files)));
        });
        kernels.keep(List.copyOf(files.values()), clock.instant());
        kernels.launched(launches);
    }

    /** Returns the hash. */
    private static String add(KernelFiles.Packed packed, SortedMap<String, KernelRepository.Stored> files) {
        byte[] content = packed.content();
        String hash = Sha256.hex(content);
        files.put(hash, new KernelRepository.Stored(hash, content.length, packed.gzip()));
        return hash;
    }

    /**
     * A file of a trial.
     *
     * @throws ApiProblem 404 if there is no such trial, or no such file of it, with the reason
     */
    public byte[] find(UUID trialId, KernelPart file) {
        KernelRepository.Found found =
                kernels.find(trialId, file).orElseThrow(() -> ApiProblem.notFound("trial", trialId));
        if (found.gzip() == null) {
            throw new ApiProblem(
                    ProblemType.NOT_FOUND,
                    "trial " + trialId + " has no " + file + ": "
                            + (found.hash() == null && file != KernelPart.LAUNCH
                                    ? "it was not assembled"
                                    : "it was not assembled, its files were too large, they were not kept yet when it"
                                            + " ran, or they were deleted with the raw evidence of its study"));
        }
        return new KernelFiles.Packed(found.gzip()).content();
    }

    /** Stored files of these trials; a trial without any is left out. */
    public Map<UUID, Set<KernelPart>> kept(Collection<UUID> trialIds) {
        return kernels.kept(trialIds);
    }
}
