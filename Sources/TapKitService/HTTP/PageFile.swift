/// A file of the page, as it is in the command.
struct PageFile: Sendable {
    let name: String
    let content: [UInt8]

    /// - Returns: `nil` if the page has no file of this name.
    init?(_ name: String) {
        guard let content = Self.all[name] else { return nil }
        (self.name, self.content) = (name, content())
    }

    var contentType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }

    /// The names of all files.
    static let names = Set(all.keys)

    /// The same files as `pageFiles` in the package's manifest. Each is made only when it is asked for.
    private static let all = Dictionary(list, uniquingKeysWith: { first, _ in first })

    private static let list: [(String, @Sendable () -> [UInt8])] = [
        ("index.html", { PackageResources.index_html }),
        ("style.css", { PackageResources.style_css }),
        ("money.css", { PackageResources.money_css }),
        ("app.js", { PackageResources.app_js }),
        ("rpc.js", { PackageResources.rpc_js }),
        ("state.js", { PackageResources.state_js }),
        ("dom.js", { PackageResources.dom_js }),
        ("format.js", { PackageResources.format_js }),
        ("parts.js", { PackageResources.parts_js }),
        ("words.js", { PackageResources.words_js }),
        ("task.js", { PackageResources.task_js }),
        ("dialogs.js", { PackageResources.dialogs_js }),
        ("cards.js", { PackageResources.cards_js }),
        ("card-status.js", { PackageResources.card_status_js }),
        ("view-card.js", { PackageResources.view_card_js }),
        ("view-satscard.js", { PackageResources.view_satscard_js }),
        ("view-setup.js", { PackageResources.view_setup_js }),
        ("view-doctor.js", { PackageResources.view_doctor_js }),
        ("flow.js", { PackageResources.flow_js }),
        ("plot.js", { PackageResources.plot_js }),
        ("qr.js", { PackageResources.qr_js }),
        ("review.js", { PackageResources.review_js }),
        ("fee-fields.js", { PackageResources.fee_fields_js }),
        ("policy.js", { PackageResources.policy_js }),
        ("sign-run.js", { PackageResources.sign_run_js }),
        ("stored-list.js", { PackageResources.stored_list_js }),
        ("view-sign.js", { PackageResources.view_sign_js }),
        ("view-pay.js", { PackageResources.view_pay_js }),
        ("view-wallets.js", { PackageResources.view_wallets_js }),
        ("view-wallet.js", { PackageResources.view_wallet_js }),
        ("wallet-history.js", { PackageResources.wallet_history_js }),
        ("wallet-receive.js", { PackageResources.wallet_receive_js }),
        ("wallet-registrations.js", { PackageResources.wallet_registrations_js }),
        ("text-source.js", { PackageResources.text_source_js }),
    ]
}
