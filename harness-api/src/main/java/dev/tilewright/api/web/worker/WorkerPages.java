package dev.tilewright.api.web.worker;

import dev.tilewright.api.fleet.FleetRepository;
import dev.tilewright.api.fleet.WorkerDocument;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Pages of the workers. */
@Controller
record WorkerPages(FleetRepository fleet) {

    private static final int MOST = 200;

    /** A device as the page shows it. */
    record Row(
            String host,
            String device,
            String kind,
            String model,
            List<String> deals,
            String state,
            String leases,
            String seen,
            String measured,
            String clock,
            String power,
            String temperature) {}

    @GetMapping("/workers")
    String workers(Model model) {
        model.addAttribute("rows", rows());
        return "workers";
    }

    @GetMapping("/workers/list")
    String workersAlone(Model model) {
        model.addAttribute("rows", rows());
        return "workers :: list";
    }

    private List<Row> rows() {
        return fleet.workers(false, MOST).stream()
                .flatMap(worker -> worker.devices().isEmpty()
                        ? Stream.of(without(worker))
                        : worker.devices().stream().map(device -> row(worker, device)))
                .toList();
    }

    /** Such as {@code of 2: 8 GPCs × 8, then 2 × 1}. */
    private static String deal(DeviceOffer.Deal deal) {
        return "of " + deal.clusterSize() + ": "
                + (deal.rounds() == 0
                        ? "no pattern"
                        : (deal.first() == 0 ? "" : deal.first() + " first, ") + deal.gpcs() + " GPCs × "
                                + deal.rounds()
                                + (deal.laterRounds() == 0
                                        ? ""
                                        : ", then " + deal.laterGpcs() + " × " + deal.laterRounds()));
    }

    private static Row without(WorkerDocument worker) {
        return new Row(
                host(worker),
                "no device",
                Figures.NONE,
                Figures.NONE,
                List.of(),
                worker.state().toString(),
                Figures.NONE,
                Figures.moment(worker.lastSeenAt()),
                Figures.NONE,
                Figures.NONE,
                Figures.NONE,
                Figures.NONE);
    }

    private static Row row(WorkerDocument worker, WorkerDocument.DeviceDocument device) {
        Testbed testbed = device.testbed();
        WorkerDocument.DeviceReading reading = device.lastReading();
        return new Row(
                host(worker),
                device.label(),
                testbed.kind().toString(),
                testbed.device() + ", " + testbed.driver() + ", " + testbed.assembler() + ", " + testbed.smCount()
                        + " SMs",
                device.deals() == null
                        ? List.of()
                        : device.deals().stream().map(WorkerPages::deal).toList(),
                worker.state().toString(),
                Figures.count(device.leases(), "lease"),
                Figures.moment(worker.lastSeenAt()),
                reading == null ? Figures.NONE : Figures.moment(reading.at()),
                reading == null ? Figures.NONE : Figures.megahertz(reading.smClockMhz()),
                reading == null ? Figures.NONE : Figures.watts(reading.powerWatts()),
                reading == null ? Figures.NONE : Figures.celsius(reading.temperatureCelsius()));
    }

    private static String host(WorkerDocument worker) {
        return worker.host() + ", process " + worker.pid();
    }
}
