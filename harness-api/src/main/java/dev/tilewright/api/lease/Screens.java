package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.SweepRepository;
import dev.tilewright.api.study.SweptTrial;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.ScreenRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.model.exchange.Report;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Stores what workers found of trials: the screens of a study that come together cost as many statements as one. */
@Service
record Screens(
        StudyRepository studies,
        ScreenRepository screens,
        MeasurementRepository measurements,
        Leases leases,
        SweepRepository sweeps,
        TrialEvents events,
        DeviceMeters devices,
        Clock clock) {

    /** A screen of a lease that lives, as it is believed. */
    record Judged(LeaseRow lease, ScreenRepository.Screen screen) {}

    /**
     * A result as it is believed.
     *
     * @throws ApiProblem if it makes no sense
     */
    Judged judged(StudyRow study, LeaseRow lease, Report.Screened said) {
        if (lease.work().type() != WorkId.Type.SCREEN) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a final: report 'finished' or 'refused', got 'screened'");
        }
        ReportCheck.screened(
                said, study.bound().testbed().kind(), study.options().check());
        Plausibility plausibility =
                new Plausibility(study.problem(), study.bound().testbed());
        return new Judged(lease, new ScreenRepository.Screen(lease.work().id(), plausibility.judged(said.result())));
    }

    /** Ends these trials of a study, and their leases, which the caller holds. Returns the leases. */
    List<UUID> store(StudyRow study, List<Judged> batch) {
        if (batch.isEmpty()) {
            return List.of();
        }
        List<TrialRepository.Ended> trials = screens.finish(
                study.id(), study.problem(), batch.stream().map(Judged::screen).toList(), clock.instant());
        measurements.insert(
                study.id(),
                study.problem(),
                batch.stream()
                        .map(each -> new MeasurementRepository.Measured(
                                each.screen().trialId(),
                                null,
                                each.screen().result().measurements()))
                        .toList(),
                clock.instant());
        List<UUID> ended = batch.stream().map(each -> each.lease().id()).toList();
        leases.end(batch.stream().map(Judged::lease).toList(), LeaseRow.Ending.REPORTED);
        sweeps.add(
                study.id(),
                batch.stream()
                        .map(each -> SweptTrial.of(
                                each.lease().workerId(),
                                each.lease().device(),
                                each.screen().result()))
                        .toList(),
                clock.instant());
        if (!study.accepted()) {
            studies.accept(study.id());
        }
        List<TrialEvents.EndedTrial> finished = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            finished.add(new TrialEvents.EndedTrial(
                    trials.get(i), batch.get(i).lease().grantedAt()));
        }
        events.finished(study, finished);
        batch.forEach(each -> devices.screened(
                each.lease(), study.bound().testbed(), each.screen().result()));
        return ended;
    }
}
