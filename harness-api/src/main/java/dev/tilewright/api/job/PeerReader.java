package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Reads the further families in the finals of a job. Their kernels must be able to run in each of them, and compute the
 * same.
 */
@Component
class PeerReader {

    private final StudySpaces spaces;
    private final FamilyChoice choice;

    PeerReader(StudySpaces spaces, FamilyChoice choice) {
        this.spaces = spaces;
        this.choice = choice;
    }

    /**
     * The other options of a job.
     *
     * @param finalists how many of its kernels reach a final
     * @param smCount of the device
     */
    record Beside(FamilySpace family, List<Problem> problems, DeviceSelector device, int finalists, int smCount) {}

    /** The families, bundles in their version; what is wrong with one is among the faults. */
    List<String> read(List<String> names, Beside job, List<Fault> faults) {
        if (names.isEmpty()) {
            return List.of();
        }
        if (names.size() > FamilySpace.MOST_PEERS) {
            faults.add(new Fault(
                    "/peers", "must be at most " + FamilySpace.MOST_PEERS + " families, got " + names.size()));
            return List.of();
        }
        noFinal(job).ifPresent(reason -> faults.add(new Fault("/peers", "run in finals, and " + reason)));
        List<String> peers = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String pointer = "/peers/" + i;
            Optional<FamilySpace> peer = named(names.get(i), job, pointer, faults);
            peer.flatMap(found -> refusal(found, job, peers))
                    .ifPresent(reason -> faults.add(new Fault(pointer, reason)));
            peer.ifPresent(found -> peers.add(found.family()));
        }
        return peers;
    }

    private Optional<String> noFinal(Beside job) {
        if (!choice.mayRunFinals(job.device())) {
            return Optional.of(job.device() + " runs none: name a GPU, such as cuda:0");
        }
        return job.finalists() == 0 ? Optional.of("with 0 finalists there is none") : Optional.empty();
    }

    private Optional<FamilySpace> named(String name, Beside job, String pointer, List<Fault> faults) {
        FamilySpace own = job.family();
        if (own.peers().contains(name)) {
            Optional<Problem> another = job.problems().stream()
                    .filter(problem -> !own.epilogue(problem).equals(problem.epilogue()))
                    .findFirst();
            faults.add(new Fault(
                    pointer,
                    another.map(problem -> name + " computes the epilogue "
                                    + problem.epilogue().said() + " of the problem, and " + own.family() + " "
                                    + own.epilogue(problem).said())
                            .orElse(name + " runs in each final of " + own.family() + " anyway: leave it out")));
            return Optional.empty();
        }
        return choice.named(name, pointer, faults);
    }

    /** @param before peers that were named before it */
    private Optional<String> refusal(FamilySpace peer, Beside job, List<String> before) {
        String name = peer.family();
        FamilySpace own = job.family();
        if (name.equals(own.family())) {
            return Optional.of(name + " is the family of the job, whose configs race for the final");
        }
        if (before.contains(name)) {
            return Optional.of(name + " is named twice");
        }
        Optional<Architecture> one = own.architecture();
        Optional<Architecture> other = peer.architecture();
        if (one.isPresent() && other.isPresent() && !one.equals(other)) {
            return Optional.of(name + " runs on " + other.get() + ", and " + own.family() + " on " + one.get()
                    + ": no GPU runs both");
        }
        for (Problem problem : job.problems()) {
            if (!peer.epilogue(problem).equals(own.epilogue(problem))) {
                return Optional.of(name + " computes something else than " + own.family() + ": its epilogue is "
                        + peer.epilogue(problem).said() + ", that of the other "
                        + own.epilogue(problem).said());
            }
        }
        return job.problems().stream()
                .flatMap(problem -> peer.refusal(problem).or(() -> tooMany(peer, problem, job.smCount())).stream())
                .findFirst();
    }

    private Optional<String> tooMany(FamilySpace peer, Problem problem, int smCount) {
        SpaceTree space = spaces.tree(problem, peer.family(), SpaceRestriction.NONE, smCount);
        long kernels = peer.rivals(space).count();
        return kernels >= 1 && kernels <= FamilySpace.MOST_RIVALS
                ? Optional.empty()
                : Optional.of(peer.family() + " must have from 1 to " + FamilySpace.MOST_RIVALS + " configs for "
                        + problem.shapes() + " to be a peer, got " + kernels);
    }
}
