/** Screen "Check your setup": what sign-in and storage need of this machine, and what the main process offers to the page. */
import { render } from 'preact'
import { CheckPanel } from './check-panel'
import { ipcFacts, ipcFindings, IpcListing } from './ipc-listing'
import { linkFacts, linkFindings } from './link-findings'
import { loopbackFacts, loopbackFindings } from './loopback-findings'
import { storageFacts, storageFindings } from './storage-findings'

export function showSetupScreen(element: Element): void {
  render(<SetupScreen />, element)
}

function SetupScreen() {
  return (
    <>
      <CheckPanel
        check="storage"
        title="Token storage"
        text="Shows where the tokens are. Writes, reads and deletes a test record in a file of its own, in the same way."
        action="Check the storage"
        show={(report, platform) => ({
          findings: storageFindings(report, platform),
          facts: storageFacts(report, platform),
        })}
      />
      <CheckPanel
        check="link"
        title="Deep links"
        text="Sends this app a link through the operating system. The link signs nobody in: it has no code, and no sign-in waits for it."
        action="Send a test link"
        show={(report, platform) => ({
          findings: linkFindings(report, platform),
          facts: linkFacts(report, platform),
        })}
      />
      <CheckPanel
        check="loopback"
        title="Loopback sign-in"
        text="Starts the server that receives the response of a sign-in, sends it a wrong and a right response, and closes it. Opens no browser."
        action="Test the loopback server"
        show={(report) => ({ findings: loopbackFindings(report), facts: loopbackFacts(report) })}
      />
      <CheckPanel
        check="ipc"
        title="Interface to the main process"
        text="Lists what a page can call, and calls it from a page and a frame that may not, in a hidden window."
        action="List and test the interface"
        show={(report) => ({
          findings: ipcFindings(report),
          facts: ipcFacts(report),
          more: <IpcListing report={report} />,
        })}
      />
    </>
  )
}
