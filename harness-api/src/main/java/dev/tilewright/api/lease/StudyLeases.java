package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkQueue;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Leases the work of one study. */
@Service
class StudyLeases {

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final StudyFlow flow;
    private final Refusals refusals;
    private final TrialRepository trials;
    private final FinalRepository finals;
    private final WorkQueue queue;
    private final ServiceSettings settings;

    StudyLeases(
            StudyRepository studies,
            StudySpaces spaces,
            StudyFlow flow,
            Refusals refusals,
            TrialRepository trials,
            FinalRepository finals,
            WorkQueue queue,
            ServiceSettings settings) {
        this.studies = studies;
        this.spaces = spaces;
        this.flow = flow;
        this.refusals = refusals;
        this.trials = trials;
        this.finals = finals;
        this.queue = queue;
        this.settings = settings;
    }

    /** Takes what is queued, without holding the study, so that many workers take at once. */
    @Transactional
    public List<Lease> takeQueued(StudyRow study, WorkerDevice device, int max) {
        return claim(study, device, max, trials.queued(study.id(), max));
    }

    /** Takes the final if it is queued, as {@link #takeQueued}, and no trial. */
    @Transactional
    public List<Lease> takeFinal(StudyRow study, WorkerDevice device) {
        return claim(study, device, 1, List.of());
    }

    /**
     * Ends a queued study that this device cannot begin, and no other one either.
     *
     * @return false if another device may do, for which the study waits, or somebody holds it or began it meanwhile
     */
    @Transactional
    public boolean endIfHopeless(UUID studyId, WorkerDevice device) {
        StudyRow queued = studies.find(studyId).orElseThrow();
        Optional<String> misfit = refusals.misfit(queued.options().family(), device);
        // Asked before the study is held: most often somebody is left, and nobody should wait to hear that.
        if (misfit.isEmpty() || !refusals.nobodyIsLeft(queued)) {
            return false;
        }
        // Who holds it may do so for long, and the worker that polls has other studies to look at.
        Optional<StudyRow> held = studies.lockIfFree(studyId).filter(study -> study.state() == StudyState.QUEUED);
        held.ifPresent(study -> flow.end(study, misfit.get()));
        return held.isPresent();
    }

    private List<Lease> claim(StudyRow study, WorkerDevice device, int max, List<TrialRepository.Queued> queued) {
        List<LeaseRow> screens = queue.grant(
                queued.stream().map(TrialRepository.Queued::state).toList(), device.workerId(), device.label());
        List<Lease> granted = new ArrayList<>();
        for (int i = 0; i < screens.size(); i++) {
            LeaseRow row = screens.get(i);
            Config config = queued.get(i).config();
            granted.add(lease(
                    study,
                    row,
                    new Work.Screen(
                            row.work().id(),
                            row.attempt(),
                            config,
                            study.anchor(),
                            study.options().configs().contains(config))));
        }
        if (granted.size() < max) {
            finals.queued(study.id())
                    .ifPresent(last -> granted.add(lease(
                            study,
                            queue.grant(List.of(last.state()), device.workerId(), device.label())
                                    .getFirst(),
                            new Work.Final(
                                    last.contenders(),
                                    study.options().budget().finalists(),
                                    peers(study),
                                    study.anchor(),
                                    study.options().peerSeconds()))));
        }
        return granted;
    }

    /** Peers of a study: the ones of every final of its family, and the ones that its job names. */
    private List<String> peers(StudyRow study) {
        return Stream.concat(
                        spaces.families().named(study.options().family()).peers().stream(),
                        study.options().peers().stream())
                .toList();
    }

    private Lease lease(StudyRow study, LeaseRow row, Work work) {
        StudyRow.Bound bound = study.bound();
        return new Lease(
                row.id(),
                row.fence(),
                settings.leaseTtl().toMillis(),
                study.jobId(),
                study.id(),
                study.problem(),
                bound.familyBuild(),
                Map.of(study.options().family(), bound.spaceHash()),
                study.options().seed(),
                study.options().check(),
                work);
    }
}
